import Datasets
import Foundation
import Images
import Ink
import Testing

extension ProgramTests {
  /// Pictures packed by the program, counted, shown and trained on.
  struct DatasetTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// Writes a picture of a line, dark on light, whose place and thickness follow the number.
    private func picture(_ name: String, isUpright: Bool, _ number: Int) throws {
      var picture = Bitmap(width: 60, height: 60, channels: 1, filledWith: 240)
      let (long, short) = (30 + number % 7, 4 + number / 7 % 4)
      picture.draw(
        Bitmap(
          width: isUpright ? short : long, height: isUpright ? long : short, channels: 1, filledWith: 20),
        x: 6 + number % 5, y: 6 + number % 3)
      try write(picture.png(), to: name)
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
      let path = "\(place.path)/\(name)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// 28 different pictures of each of two classes.
    private func pictures(_ folder: String = "photos") throws {
      for number in 0..<28 {
        try picture("\(folder)/a tall one/\(number) ü.png", isUpright: true, number)
        try picture("\(folder)/flat/\(number).png", isUpright: false, number)
      }
    }

    private func run(_ arguments: String...) throws -> Outcome { try place.run(.dataset, arguments) }

    @Test func fromPicturesToAModel() throws {
      try pictures()
      let packed = try run("pack", "photos", "--output", "packed")
      try #require(packed.status == 0, "\(packed.errors)")
      #expect(packed.errors.isEmpty)
      #expect(
        packed.output == """
          class       training  test
          a tall one        22     6
          flat              22     6
          all               44    12

          packed: train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, \
          t10k-labels-idx1-ubyte, labels.txt
          images of 1×28×28, ink is high

          """)

      try place.train(
        ["--data", "packed", "--layers", plain.replacing("dense 3", with: "dense 2"), "--epochs", "8"]
          + ["--output", "run", "--validation", "0", "--batch", "8", "--learning-rate", "0.03"])
      let evaluation = try place.evaluation(["--model", "run", "--data", "packed"])
      #expect(evaluation.accuracy == 1)
      #expect(evaluation.perClass.map(\.label) == ["a tall one", "flat"])

      let info = try run("info", "packed")
      #expect(info.status == 0 && info.output.contains("a tall one"))
      let shown = try run("show", "packed", "--output", "sheet.png", "--count", "5", "--part", "test")
      #expect(shown.status == 0 && shown.output.hasPrefix("sheet.png: 10 images of 2 classes, "))
      let sheet = try Bitmap(decoding: [UInt8](place.bytes("sheet.png")))
      #expect(shown.output == "sheet.png: 10 images of 2 classes, \(sheet.width)×\(sheet.height) pixels\n")
    }

    @Test func seedAndThreadsDecideWhatTheyShould() throws {
      try pictures()
      func files(_ name: String, _ more: String...) throws -> [Data] {
        let outcome = try place.run(.dataset, ["pack", "photos", "--output", name] + more)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try place.names(in: name).map { try place.bytes("\(name)/\($0)") }
      }
      let first = try files("1", "--threads", "1")
      #expect(try files("2", "--threads", "3") == first)
      #expect(try files("3", "--seed", "2") != first)
      let half = try files("4", "--test", "0.5", "--gzip")
      #expect(half.count == 5 && half[1].starts(with: [0x1F, 0x8B]))
    }

    @Test func severalFoldersAndDrawingsJoin() throws {
      try picture("one/3/1.png", isUpright: true, 1)
      try picture("two/3/1.png", isUpright: true, 2)
      try place.write(
        """
        {"label": 3, "strokes": [[[0, 0], [1, 8]]]}
        {"label": 7, "strokes": [[[0, 0], [9, 0], [4, 12]]]}
        """, to: "strokes.jsonl")
      let outcome = try run("pack", "one", "two", "strokes.jsonl", "--output", "packed", "--test", "0")
      try #require(outcome.status == 0, "\(outcome.errors)")
      let data = try DatasetSource(folder: "\(place.path)/packed").load(.training)
      #expect(data.classes == ClassTable(values: [3, 7]) && data.classCounts(of: 0..<4) == [3, 1])
      #expect(try place.names(in: "packed") == ["train-images-idx3-ubyte", "train-labels-idx1-ubyte"])
    }

    @Test func badFilesAreNamedAndMayBeLeftOut() throws {
      try pictures()
      for number in 0..<25 { try write([7], to: "photos/flat/bad\(number).png") }
      let refused = try run("pack", "photos", "--output", "packed")
      #expect(refused.status == 65 && refused.output.isEmpty && !place.exists("packed"))
      let lines = refused.errorLines
      try #require(lines.count == 22)
      #expect(lines.allSatisfy { $0.hasPrefix("inkling-dataset pack: ") })
      #expect(lines[0].contains("photos/flat/bad0.png: expected a PNG, JPEG, PGM or PPM picture, found"))
      #expect(lines[20] == "inkling-dataset pack: and 5 more")
      #expect(
        lines[21]
          == "inkling-dataset pack: 25 of 81 cannot be packed, so nothing was written; put them right, or leave "
          + "them out with --skip-bad")

      let skipped = try run("pack", "photos", "--output", "packed", "--skip-bad")
      #expect(skipped.status == 0 && skipped.errorLines.last == "inkling-dataset pack: left out 25 of 81")
      #expect(skipped.output.contains("all               44    12"))
      try write([7], to: "rubbish/a/1.png")
      let nothing = try run("pack", "rubbish", "--output", "none", "--skip-bad")
      #expect(nothing.status == 65 && nothing.errorLines.last?.contains("none that can be packed") == true)
      #expect(!place.exists("none"))
    }

    @Test(
      arguments: [
        (["pack", "photos"], 64, "--output: expected DIR, but it is not given"),
        (["pack", "--output", "x"], 64, "expected FOLDER (at least 1), found none"),
        (["pack", "photos", "--output", "x", "--width", "9"], 64, "--width needs --fit resize"),
        (["pack", "photos", "--output", "photos/x"], 64, "--output photos/x lies in photos, where"),
        (["pack", "photos", "--output", "x", "--test", "1.5"], 64, "--test: expected a number from 0 to 1"),
        (["pack", "nowhere", "--output", "x"], 66, "nowhere: expected a folder with one subfolder a class"),
        (["pack", "photos/flat", "--output", "x"], 65, "expected one subfolder a class"),
        (
          ["pack", "photos", "--output", "full"], 73,
          "full: expected a new or an empty folder, found one with"
        ),
        (["pack", "photos", "--output", "full/f/x"], 73, "full/f/x: expected a"),
        (["info", "photos"], 66, "photos: expected training images, train-images-idx3-ubyte or"),
        (["info", "nowhere"], 66, "nowhere: expected a folder with training and test files"),
        (["show", "nowhere", "--output", "x"], 66, "nowhere: expected a folder"),
        (["show", Workplace.digits, "--output", "full"], 73, "full: expected the name of a file to write"),
        (["shwo", "photos"], 64, "found 'shwo'; did you mean show?"),
        ([], 64, "expected a command, one of pack, info, show, join, found none"),
      ] as [([String], Int32, String)])
    func refuses(_ arguments: [String], status: Int32, expected: String) throws {
      try picture("photos/flat/1.png", isUpright: false, 1)
      try write([1], to: "full/f")
      let outcome = try place.run(.dataset, arguments)
      #expect(outcome.status == status && outcome.output.isEmpty)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains(expected), "\(outcome.errors)")
      #expect(!place.exists("x") && place.exists("full/f"))
    }

    @Test func killedHalfwayLeavesNoFolder() throws {
      // A picture that takes its time.
      let large = Bitmap(width: 3_000, height: 3_000, channels: 3, filledWith: 240).png()
      for number in 0..<100 { try write(large, to: "photos/a/\(number).png") }
      let process = try place.start(.dataset, ["pack", "photos", "--output", "packed"])
      usleep(300_000)
      process.send(SIGKILL)
      #expect(process.outcome().status == nil)
      #expect(!place.exists("packed"))
    }

    @Test func aFullDiskLeavesNothing() throws {
      try pictures()
      let outcome = try place.run(.dataset, ["pack", "photos", "--output", "packed"], fileBlocks: 8)
      #expect(outcome.status == 73 && outcome.errors.contains("free space"))
      #expect(try place.names(in: ".") == ["photos"])
    }

    @Test func infoSaysWhatIsThere() throws {
      try place.pictures("data", training: [0, 1, 1, 4], test: [1, 4])
      try place.write("none\nsome\nmany\n", to: "data/labels.txt")
      let outcome = try run("info", "data")
      try #require(outcome.status == 0, "\(outcome.errors)")
      let squeezed = outcome.output.replacing(/\ +/, with: " ")
      for expected in [
        "data: 6 images of 1×8×8 (channels, height, width), 3 classes\n", "\nclass training test\n",
        "\n0 = none 1 0\n1 = some 2 1\n4 = many 1 1\nall 4 2\nmean 0.", "\nrepeated 0 0\n",
        "\ntest images that are in training as well: 0\n",
        "\nimages that are there under another label as well: 0\n",
      ] {
        #expect(squeezed.contains(expected), "\(expected)")
      }
      let json = try run("info", "data", "--json")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      let parts = try #require(object["parts"] as? [[String: Any]])
      #expect(parts.map { $0["imageCount"] as? Int } == [4, 2])
      #expect(parts.map { $0["classCounts"] as? [Int] } == [[1, 2, 1], [0, 1, 1]])
      #expect((object["testImagesInTraining"] as? [[Int]]) == [])
      #expect(
        (object["classes"] as? [[String: Any]])?.map { $0["name"] as? String } == ["none", "some", "many"])
    }

    @Test func infoNamesWhatIsTheSame() throws {
      try pictures()
      let image = try place.bytes("photos/flat/3.png")
      try write([UInt8](image), to: "photos/a tall one/wrong.png")
      try write([UInt8](image), to: "photos/flat/again.png")
      let packed = try run("pack", "photos", "--output", "packed", "--test", "0.5")
      try #require(packed.status == 0)
      let lines = try run("info", "packed").output.split(separator: "\n")
      #expect(lines.contains("test images that are in training as well: 0"))
      // Others may look the same once their ink has the same size and width.
      let found = try #require(lines.last)
      #expect(
        found.contains(
          /^images that are there under another label as well: [1-9]\d*, such as (training|test) \d+ \(label/)
      )
    }

    @Test func explainsItself() throws {
      let help = try run("--help")
      #expect(help.status == 0 && help.output.contains("Usage: inkling-dataset COMMAND [options]"))
      for command in ["pack", "info", "show", "join"] {
        #expect(help.output.contains("\n  \(command)  "))
        let own = try run(command, "--help")
        #expect(own.status == 0 && own.output.contains("Usage: inkling-dataset \(command) "))
        #expect(
          own.output.split(separator: "\n").filter { $0.count > 80 }.count <= 1, "an example may be long")
      }
    }
  }
}
