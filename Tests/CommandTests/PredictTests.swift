import Datasets
import DigitsModel
import Foundation
import HostInference
import Images
import Tensors
import Testing

@testable import Training

extension ProgramTests {
  struct PredictTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private func write(_ bytes: [UInt8], to name: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(place.path)/\(name)"))
    }

    private func picture(_ digits: [[Sketch.Line]], _ name: String) throws {
      try write(Sketch.picture(digits).png(), to: name)
    }

    private func run(_ arguments: [String], input: String? = nil) throws -> Outcome {
      guard let input else { return try place.run(.predict, arguments) }
      let file = try #require(FileHandle(forReadingAtPath: "\(place.path)/\(input)"))
      return try RunningProcess(Program.predict.url, arguments, in: place.path, input: file).outcome()
    }

    /// What the program says as JSON of each input.
    private func predictions(_ arguments: [String]) throws -> [[String: Any]] {
      let outcome = try run(arguments + ["--json"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      return try #require((object as? [String: Any])?["predictions"] as? [[String: Any]])
    }

    /// Writes a network that knows nothing, as net.ink.
    private func network(
      _ names: [String], shape: ImageShape = ImageShape(channels: 1, height: 28, width: 28),
      refusing: Float = 0,
      takesInk: Bool = true
    ) throws {
      let architecture = try Architecture(input: shape, parsing: "dense \(names.count)")
      let classes = ClassTable(values: Array(names.indices), names: names)
      let result = try InkExport(weights: .float32).run(
        Checkpoint(model: try Model(architecture: architecture, seed: 1), classes: classes))
      var network = result.network
      (network.refusalThreshold, network.takesNormalizedInk) = (refusing, takesInk)
      try write(InkWriter(network, tensors: result.tensors).bytes, to: "net.ink")
    }

    @Test func readsPicturesAndDrawings() throws {
      try picture([Sketch.seven], "seven.png")
      let picture = Sketch.picture([Sketch.seven])
      try write(
        Array("P5 \(picture.width) \(picture.height) 255\n".utf8) + picture.pixels, to: "seven of old.pgm")
      try place.write(Sketch.json(Sketch.seven), to: "seven.json")
      let outcome = try run(["seven.png", "seven of old.pgm", "seven.json"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 3)
      // Names, labels and probabilities stand below each other.
      for (line, name) in zip(lines, ["seven.png       ", "seven of old.pgm", "seven.json      "]) {
        #expect(
          line.wholeMatch(of: /(.{16})  7  [> ]?\d+\.\d%  then \d <?\d+\.\d%, \d <?\d+\.\d%/)?.1
            == Substring(name),
          "\(line)")
      }
      #expect(lines[0].dropFirst(16) == lines[1].dropFirst(16))
    }

    @Test(arguments: [1, 2, 10, 50]) func tellsAsManyGuessesAsAreAskedFor(top: Int) throws {
      try place.write(Sketch.json(Sketch.seven), to: "seven.json")
      let line = try run(["seven.json", "--top", "\(top)"]).output
      #expect(line.contains("then") == (top > 1) && line.count { $0 == "," } == max(0, min(top, 10) - 2))
      let guesses = try predictions(["seven.json", "--top", "\(top)"])[0]["guesses"] as? [Any]
      #expect(guesses?.count == min(top, 10))
    }

    @Test func printsJSON() throws {
      try picture([Sketch.seven], "seven.png")
      try picture([[]], "blank.png")
      let found = try predictions(["seven.png", "blank.png"])
      #expect(found.map { $0["file"] as? String } == ["seven.png", "blank.png"])
      #expect(
        found.map { Set($0.keys) } == [
          ["file", "label", "probability", "guesses"], ["file", "label", "probability", "guesses"],
        ])
      let guesses = try #require(found[0]["guesses"] as? [[String: Any]])
      #expect(found[0]["label"] as? String == "7" && guesses[0]["label"] as? String == "7")
      let probability = try #require(found[0]["probability"] as? Double)
      #expect(probability > 0.5 && probability <= 1 && guesses[0]["probability"] as? Double == probability)
      #expect(found[1]["label"] is NSNull && found[1]["probability"] is NSNull)
      #expect((found[1]["guesses"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
      ((0...9).map { "\($0)" }, "no digit"), (["a", "b", "ü"], "no letter"),
      (["cat", "dog"], "no known class"),
    ])
    func saysWhereThereIsNone(names: [String], none: String) throws {
      try network(names, refusing: 1)
      try picture([Sketch.seven], "seven.png")
      try picture([[]], "blank.png")
      try place.write("{\"strokes\": []}", to: "none.json")
      let outcome = try run(["--model", "net.ink", "seven.png", "blank.png", "none.json"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let lines = outcome.output.split(separator: "\n")
      #expect(
        lines.count == 3 && lines[0].hasPrefix("seven.png  \(none)  at best "))
      #expect(lines[0].contains("%") && lines[1] == "blank.png  \(none)  nothing is drawn")
      #expect(lines[2] == "none.json  \(none)  nothing is drawn")
      let found = try predictions(["--model", "net.ink", "seven.png"])[0]
      #expect(found["label"] is NSNull && found["probability"] as? Double != nil)
      #expect((found["guesses"] as? [Any])?.count == min(3, names.count))
      #expect(try run(["--model", "net.ink", "--segment", "seven.png"]).output.hasPrefix("seven.png  ?  ? "))
    }

    @Test func standardInputIsKnownByItsContent() throws {
      try picture([Sketch.seven], "seven.png")
      try place.write("\n" + Sketch.json(Sketch.zero), to: "zero.json")
      #expect(try run(["-"], input: "seven.png").output.hasPrefix("-  7 "))
      #expect(
        try run(["-", "seven.png"], input: "zero.json").output.split(separator: "\n").map {
          $0.prefix(12).suffix(1)
        } == ["0", "7"])
      let nothing = try run(["-"])
      #expect(nothing.status == 65 && nothing.output.isEmpty)
      #expect(nothing.errors.hasPrefix("inkling-predict: standard input: expected a PNG, JPEG"))
      #expect(nothing.errors.contains("found an empty file"))
    }

    @Test func eachDrawingOfAFileHasALine() throws {
      try place.write(
        "\(Sketch.json(Sketch.seven))\n{\"strokes\": [[[0, \"NaN\"]]]}\n\(Sketch.json(Sketch.zero))",
        to: "many.ndjson")
      let outcome = try run(["many.ndjson"])
      #expect(outcome.status == 65 && outcome.errorLines.count == 1)
      #expect(
        outcome.errors.hasPrefix(
          "inkling-predict: many.ndjson: line 3: expected finite numbers in point 1 of stroke 1"))
      #expect(
        outcome.output.split(separator: "\n").map { $0.prefix(16) } == [
          "many.ndjson:1  7", "many.ndjson:4  0",
        ])
      let list = "[\(Sketch.json(Sketch.zero)), \(Sketch.json(Sketch.seven))]"
      try place.write(list, to: "list.json")
      let found = try predictions(["list.json"])
      #expect(
        found.map { $0["place"] as? Int } == [1, 2] && found.map { $0["label"] as? String } == ["0", "7"])
    }

    @Test func yMayPointUp() throws {
      try place.write(Sketch.json(Sketch.seven, isYUp: true), to: "up.json")
      try place.write(Sketch.json(Sketch.seven), to: "down.json")
      let up = try predictions(["--y-up", "up.json"])[0]["probability"] as? Double
      #expect(up == (try predictions(["down.json"])[0]["probability"] as? Double))
      #expect(try predictions(["up.json"])[0]["label"] as? String != "7")
    }

    @Test func readsANumber() throws {
      try picture([Sketch.seven, Sketch.zero, Sketch.one, Sketch.seven], "sheet.png")
      try picture([[]], "blank.png")
      let outcome = try run(["--segment", "sheet.png", "blank.png"])
      let lines = outcome.output.split(separator: "\n")
      #expect(outcome.status == 0 && lines.count == 2)
      #expect(lines[0].wholeMatch(of: /sheet\.png  7017  7 \S+, 0 \S+, 1 \S+, 7 \S+/) != nil, "\(lines[0])")
      #expect(lines[1] == "blank.png  no digit  nothing is drawn")
      let found = try predictions(["--segment", "sheet.png", "blank.png"])
      #expect(found[0]["number"] as? String == "7017" && Set(found[0].keys) == ["file", "number", "digits"])
      let digits = try #require(found[0]["digits"] as? [[String: Any]])
      #expect(digits.map { $0["label"] as? String } == ["7", "0", "1", "7"])
      #expect(found[1]["number"] is NSNull && (found[1]["digits"] as? [Any])?.isEmpty == true)

      try place.write(Sketch.json(Sketch.seven), to: "seven.json")
      let refused = try run(["--segment", "seven.json", "sheet.png"])
      #expect(refused.status == 65 && refused.output.contains("7017") && refused.errorLines.count == 1)
      #expect(
        refused.errors.contains("seven.json: expected a picture to cut, found drawings; leave --segment out"))
    }

    @Test func drawsWhatTheNetworkSees() throws {
      try picture([Sketch.seven, Sketch.one], "sheet.png")
      let lines = try run(["--segment", "--show", "sheet.png"]).output.split(separator: "\n")
      #expect(lines.count == 1 + 2 * 30 && lines.dropFirst().allSatisfy { $0.count == 58 })
      let seven = lines[2..<30].map { Array($0.dropFirst().dropLast()) }
      #expect(lines[1].hasPrefix("┌──") && lines[30].hasPrefix("└──"))
      // Within 20 pixels; full in the bar on top, whose left end is above nothing.
      #expect(seven[0].allSatisfy { $0 == " " } && seven.contains { $0.count { $0 == "█" } >= 16 })
      #expect(
        seven.allSatisfy { row in stride(from: 0, to: 56, by: 2).allSatisfy { row[$0] == row[$0 + 1] } })
      #expect(Set(seven.joined()).isSubset(of: " ░▒▓█"))
    }

    @Test func whatCannotBeReadIsSaidAndTheRestAnswered() throws {
      try picture([Sketch.seven], "seven.png")
      try write(Array("GIF89a...".utf8), to: "old.gif")
      try write(Sketch.picture([Sketch.seven]).png().dropLast(30), to: "cut.png")
      try write(Array("P6 50000 40000 255\n".utf8), to: "huge.ppm")
      try place.write("{\"a\": 1}", to: "other.json")
      for (file, status, expected) in [
        ("old.gif", 65, "expected a PNG, JPEG, PGM or PPM picture, found a GIF picture; convert it to PNG"),
        ("cut.png", 65, "expected a whole PNG, found a damaged one (the file ends too early); save or fetch"),
        (
          "huge.ppm", 65,
          "expected at most 128 million pixels, found 50000 × 40000 pixels; make the picture smaller"
        ),
        (
          "other.json", 65,
          "line 1: expected a list \"strokes\" or \"drawing\", found neither; correct the drawing"
        ),
        ("nowhere.png", 66, "expected a readable file, found nothing at this path; check the path"),
        (".", 66, "expected a file, found a folder; name the files in it, as in ./*.png"),
      ] as [(String, Int32, String)] {
        let outcome = try run(["seven.png", file, "seven.png"])
        #expect(outcome.status == status && outcome.errorLines.count == 1, "\(file)")
        #expect(outcome.errors.hasPrefix("inkling-predict: \(file): \(expected)"), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("seven.png") && $0.contains("  7  ") })
      }
      let all = try run(["old.gif", "seven.png", "cut.png", "nowhere.png", "--json"])
      #expect(all.status == 66 && all.errorLines.count == 3)
      let object = try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [String: Any]
      #expect((object?["predictions"] as? [Any])?.count == 1)
    }

    /// As `inkling-dataset pack --fit resize` has them: light stays light.
    @Test func otherNetworksGetTheWholePicture() throws {
      try place.pictures("data")
      try place.train(
        [
          "--data", "data", "--layers", plain, "--epochs", "6", "--output", "run", "--labels",
          "top,left,both",
        ] + quick)
      let exported = try place.run(.export, ["--model", "run", "--output", "lines.ink", "--data", "data"])
      try #require(exported.status == 0, "\(exported.errors)")
      for (name, isInk) in [
        ("top", { x, y in y / 4 == 1 }), ("left", { x, y in x / 4 == 1 }),
        ("both", { x, y in x / 4 == y / 4 }),
      ] as [(String, (Int, Int) -> Bool)] {
        let light = (0..<32 * 32).flatMap { place -> [UInt8] in
          let value: UInt8 = isInk(place % 32, place / 32) ? 230 : 40
          return [value, value, value]
        }
        let picture = Bitmap(width: 32, height: 32, channels: 3, pixels: light)
        try write(picture.png(), to: "light.png")
        try write(
          Bitmap(width: 32, height: 32, channels: 3, pixels: light.map { 255 - $0 }).png(), to: "dark.png")
        let found = try predictions(["--model", "lines.ink", "light.png"])[0]
        #expect(found["label"] as? String == name)
        let turned = try predictions(["--model", "lines.ink", "--invert", "dark.png"])[0]
        #expect(turned["probability"] as? Double == found["probability"] as? Double)
        #expect(
          try predictions(["--model", "lines.ink", "dark.png"])[0]["probability"] as? Double != found[
            "probability"] as? Double)
      }
      let shown = try run(["--model", "lines.ink", "--show", "light.png"]).output.split(separator: "\n")
      #expect(shown.count == 1 + 8 + 2 && shown[2].hasPrefix("│██"), "\(shown)")
    }

    @Test func coloursReachANetworkThatTakesThem() throws {
      try network(["cat", "dog"], shape: ImageShape(channels: 3, height: 4, width: 6), takesInk: false)
      let file = try Network(copying: [UInt8](place.bytes("net.ink")))
      try write(
        Bitmap(width: 6, height: 4, channels: 3, pixels: (0..<72).map { UInt8(3 * $0) }).png(),
        to: "colours.png")
      let planes = (0..<3).flatMap { channel in (0..<24).map { UInt8(3 * (3 * $0 + channel)) } }
      let expected = try file.predict(planes).probabilities.max()
      let found = try predictions(["--model", "net.ink", "colours.png"])[0]["probability"] as? Double
      // The program runs the kernels, here are the portable loops.
      #expect(abs((found ?? 0) - Double(expected ?? 1)) < 1e-5)
    }

    @Test func networksThatTakeNoPicturesAreRefused() throws {
      try picture([Sketch.seven], "seven.png")
      try network(["cat", "dog"], shape: ImageShape(channels: 2, height: 4, width: 6), takesInk: false)
      let two = try run(["--model", "net.ink", "seven.png"])
      #expect(
        two.status == 65
          && two.errors.contains("net.ink: expected a network of grey or RGB images, found one of 2"))
      try network(["cat", "dog"], shape: ImageShape(channels: 1, height: 4, width: 6), takesInk: true)
      let small = try run(["--model", "net.ink", "seven.png"])
      #expect(small.status == 65 && small.errors.contains("net.ink") && small.output.isEmpty)
      #expect(try run(["--model", "nowhere.ink", "seven.png"]).status == 66)
      #expect(try run(["--model", "seven.png", "seven.png"]).status == 65)
    }

    @Test(
      arguments: [
        ([], "expected FILE (at least 1), found none"),
        (["--json", "--show", "x"], "--json and --show exclude"),
        (["-", "x", "-"], "-, standard input, can be read once only"),
        (["--top", "0", "x"], "--top: expected a whole"),
        (["--invert", "x"], "--invert is for networks of resized pictures"),
        (["--modle", "x"], "did you mean --model?"),
      ] as [([String], String)])
    func refusesACommandLine(arguments: [String], expected: String) throws {
      let outcome = try run(arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains(expected), "\(outcome.errors)")
    }

    @Test func theModelWithinIsTheFile() throws {
      let file = URL(fileURLWithPath: Workplace.digits).deletingLastPathComponent().appendingPathComponent(
        "models/digits.ink")
      #expect(try Data(contentsOf: file) == Data(DigitsModel.bytes))
      let network = try Network(copying: DigitsModel.bytes)
      #expect(network.takesNormalizedInk && network.labels == (0...9).map { "\($0)" })
    }

    /// Programs that only run networks need not have linear algebra.
    @Test(arguments: [Program.predict, .benchmark]) func linksNoLinearAlgebra(_ program: Program) throws {
      #if os(Linux)
        let outcome = try RunningProcess(
          URL(fileURLWithPath: "/usr/bin/ldd"), [program.url.path], in: place.path
        ).outcome()
        #expect(outcome.status == 0 && outcome.output.contains("libc.so"))
        #expect(outcome.output.firstMatch(of: /(?i)blas|lapack/) == nil)
      #endif
    }

    @Test func explainsItself() throws {
      let help = try run(["--help"])
      #expect(
        help.status == 0 && help.errors.isEmpty
          && help.output.contains("Usage: inkling-predict [options] FILE ..."))
      #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }
}
