import Foundation
import HostInference
import PlainText
import Testing

@testable import Training

extension ProgramTests {
  struct ExportTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data", test: Workplace.cycle(150, of: [0, 1, 2]))
      try place.train(["--data", "data", "--layers", plain, "--epochs", "6", "--output", "run"] + quick)
    }

    private func export(_ more: [String] = []) throws -> ExportReportJSON {
      let outcome = try place.run(.export, ["--model", "run", "--output", "net.ink", "--json"] + more)
      try #require(outcome.status == 0, "\(outcome.errors)")
      return try JSONDecoder().decode(ExportReportJSON.self, from: Data(outcome.output.utf8))
    }

    @Test(arguments: ["f32", "f16", "int8", "int4"]) func theFileIsAsGoodAsTheModel(weights: String) throws {
      let report = try export(["--weights", weights])
      #expect(report.count == 150 && report.accuracyBefore == 1 && report.accuracyAfter == 1)
      #expect(report.byteCount == (try place.bytes("net.ink")).count)
      #expect(report.byteCount <= report.floatByteCount && report.layers.count == 2)
      // The runtime judges the file.
      #expect(try place.evaluation(["--model", "net.ink", "--data", "data"]).accuracy == 1)
      let checkpoint = try place.evaluation(["--model", "run", "--data", "data"])
      let file = try place.evaluation(["--model", "net.ink", "--data", "data"])
      // f32 differs by rounding alone; the others by that of weights near 1.
      let tolerances: [String: Double] = ["f32": 1e-5, "f16": 1e-3, "int8": 1e-2, "int4": 0.2]
      let tolerance = tolerances[weights] ?? 0
      #expect(abs(file.loss - checkpoint.loss) < tolerance)
    }

    @Test func wholeNumbersAreCalibrated() throws {
      let report = try export(["--weights", "int8", "--calibrate", "data"])
      #expect(report.accuracyAfter == 1)
      let info = try place.run(.info, ["net.ink"])
      #expect(info.output.contains("int8, whole numbers") && info.output.contains(".ink network"))
      for line in info.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
      // Bytes cannot hold what floats can, but nearly.
      let comparison = try place.run(.evaluate, ["--model", "run", "--compare", "net.ink", "--data", "data"])
      #expect(comparison.output.contains("only the first 0, only the second 0"))
    }

    @Test func aLayerOfLowRankIsSplit() throws {
      try place.train(
        ["--data", "data", "--layers", "dense 32, relu, dense 3", "--epochs", "2", "--output", "wide"] + quick
      )
      let outcome = try place.run(
        .export,
        ["--model", "wide", "--output", "low.ink", "--low-rank", "0.9", "--weights", "f32", "--json"])
      let report = try JSONDecoder().decode(ExportReportJSON.self, from: Data(outcome.output.utf8))
      #expect((3...4).contains(report.layers.count) && report.layers[0].parameterCount < 64 * 32)
    }

    @Test func writesC() throws {
      let outcome = try place.run(
        .export, ["--model", "run", "--output", "my-digits.c", "--format", "c", "--weights", "int8"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let header = String(decoding: try place.bytes("my-digits.h"), as: UTF8.self)
      #expect(header.contains("int my_digits_predict(const uint8_t *pixels, float *probabilities)"))
      #expect(header.contains("#define MY_DIGITS_REFUSAL_THRESHOLD 0.0f"))
      let refusing = try place.run(
        .export, ["--model", "run", "--output", "refusing.c", "--format", "c", "--refuse", "0.2"])
      #expect(refusing.status == 0, "\(refusing.errors)")
      let threshold = String(decoding: try place.bytes("refusing.h"), as: UTF8.self)
      #expect(threshold.contains("REFUSING_REFUSAL_THRESHOLD") && !threshold.contains("THRESHOLD 0.0f"))
      let source = String(decoding: try place.bytes("my-digits.c"), as: UTF8.self)
      #expect(source.contains("#include \"my-digits.h\""))
      for name in ["x", ".c", "a\"b.c", "a*.c"] {
        let outcome = try place.run(.export, ["--model", "run", "--output", name, "--format", "c"])
        #expect(outcome.status == 64, "\(name)")
      }
    }

    @Test func reportsForPeople() throws {
      let outcome = try place.run(.export, ["--model", "run", "--output", "net.ink", "--weights", "int4"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      for expected in [
        "run/best.ckpt as net.ink", "before  100.0% (150 of 150)", "flipped", "relative error",
      ] {
        #expect(outcome.output.contains(expected), "\(expected)")
      }
      for line in outcome.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
    }

    @Test func whatShowsNoClassIsRefused() throws {
      let report = try export(["--refuse", "0.2"])
      #expect(report.temperature ?? 0 > 0 && report.refusalThreshold ?? 0 > 0 && report.refused != nil)
      #expect(report.accuracyAfter == 1)
      #expect(try place.run(.info, ["net.ink"]).output.contains("below a probability of"))
      let text = try place.run(.export, ["--model", "run", "--output", "net.ink", "--refuse", "0.2"]).output
      #expect(text.contains("of 30 set aside") && text.contains("of 150 judged"))
      for line in text.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
      // Without the option nothing is.
      #expect(try export().refused == nil)
      #expect(try !place.run(.info, ["net.ink"]).output.contains("no class"))
      try place.train(
        ["--data", "data", "--layers", plain, "--epochs", "1", "--validation", "0", "--output", "all"] + quick
      )
      let outcome = try place.run(.export, ["--model", "all", "--output", "all.ink", "--refuse", "0.1"])
      #expect(outcome.status == 65 && outcome.errorLines.count == 1 && !place.exists("all.ink"))
      #expect(outcome.errors.contains("without images set aside"))
    }

    @Test func theFileSaysHowPicturesBecomeImages() throws {
      _ = try export()
      #expect(try place.run(.info, ["net.ink"]).output.contains("resized"))
      // These pictures are smaller than ink is.
      let outcome = try place.run(
        .export, ["--model", "run", "--output", "ink.ink", "--pictures", "ink"])
      #expect(outcome.status == 65 && outcome.errorLines.count == 1 && !place.exists("ink.ink"))
      #expect(outcome.errors.contains("expected a model of 1×28×28"), "\(outcome.errors)")
      try place.train([
        "--data", Workplace.digits, "--layers", "dense 10", "--epochs", "1", "--output", "digits",
      ])
      let ink = try place.run(.export, ["--model", "digits", "--output", "ink.ink"])
      #expect(ink.status == 0, "\(ink.errors)")
      #expect(try place.run(.info, ["ink.ink"]).output.contains("as MNIST's"))
    }

    @Test func writesAPage() throws {
      try place.pictures("drawn", test: Workplace.cycle(150, of: [0, 1, 2]), side: 28)
      try place.train(
        ["--data", "drawn", "--layers", plain, "--epochs", "1", "--output", "drawn-run"] + quick)
      let page = ["--format", "html", "--output", "draw.html"]
      let outcome = try place.run(.export, ["--model", "drawn-run", "--pictures", "ink", "--json"] + page)
      let report = try JSONDecoder().decode(ExportReportJSON.self, from: Data(outcome.output.utf8))
      #expect(report.count == 150)
      let first = try place.bytes("draw.html")
      #expect(first.starts(with: Data("<!doctype html>".utf8)))
      // The same from the file that would be exported.
      let file = ["--model", "drawn-run", "--pictures", "ink", "--output", "net.ink"]
      #expect(try place.run(.export, file).status == 0)
      #expect(
        try place.run(.export, ["--model", "net.ink"] + page).output
          == "net.ink as draw.html, \(first.count.groupedDigits) bytes\n")
      #expect(try place.bytes("draw.html") == first)
      // And of the network that comes with Inkling.
      let own = try place.run(.export, page)
      #expect(own.status == 0 && own.output.hasPrefix("the network that comes with Inkling as draw.html, "))
      #expect(try place.bytes("draw.html") != first)
    }

    @Test func aPageIsOfDrawings() throws {
      _ = try export()
      try Data("\u{89}INK and no more".unicodeScalars.map { UInt8($0.value) })
        .write(to: URL(fileURLWithPath: "\(place.path)/cut.ink"))
      for (arguments, status, expected) in [
        (["--model", "net.ink"], 65, "net.ink: expected a model of drawings"),
        (["--model", "run"], 65, "run/best.ckpt: expected a model of drawings"),
        (["--model", "run", "--pictures", "ink"], 65, "--pictures ink: expected a model of 1×28×28"),
        (["--model", "net.ink", "--weights", "f32"], 64, "--weights goes with a checkpoint"),
        (["--model", "cut.ink"], 65, "cut.ink at byte 4"),
        (["--pictures", "ink"], 64, "--pictures goes with a checkpoint"),
        (["--model", "nowhere"], 66, "nothing at this path"),
      ] as [([String], Int32, String)] {
        let outcome = try place.run(.export, arguments + ["--format", "html", "--output", "draw.html"])
        #expect(outcome.status == status && outcome.output.isEmpty && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
      }
      #expect(!place.exists("draw.html"))
    }

    @Test func withoutImagesThereIsAWarning() throws {
      try FileManager.default.removeItem(atPath: "\(place.path)/data")
      let outcome = try place.run(.export, ["--model", "run", "--output", "net.ink"])
      #expect(outcome.status == 0 && outcome.errors.contains("warning: not judged"))
      #expect(place.exists("net.ink") && !outcome.output.contains("before"))
    }

    @Test func whatCannotBeDoneLeavesNothing() throws {
      for (arguments, status, expected) in [
        (["--model", "run", "--output", "no/net.ink"], 73, "create its folder first"),
        (["--model", "nowhere", "--output", "net.ink"], 66, "nothing at this path"),
        (["--output", "net.ink"], 64, "--model: expected PATH"),
        (["--model", "run", "--output", "net.ink", "--calibrate", "data"], 64, "floats need none"),
        (["--model", "run", "--output", "net.ink", "--weights", "int8", "--calibrate", "no"], 66, "no"),
      ] as [([String], Int32, String)] {
        let outcome = try place.run(.export, arguments)
        #expect(outcome.status == status && outcome.output.isEmpty && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
      }
      #expect(!place.exists("net.ink"))
    }

    @Test func aDamagedFileIsRefused() throws {
      _ = try export()
      var bytes = try place.bytes("net.ink")
      bytes[bytes.count / 2] ^= 4
      try bytes.write(to: URL(fileURLWithPath: "\(place.path)/damaged.ink"))
      for program in [Program.evaluate, .benchmark] {
        let outcome = try place.run(program, ["--model", "damaged.ink"])
        #expect(outcome.status == 65 && outcome.output.isEmpty && outcome.errorLines.count == 1)
        #expect(
          outcome.errors.contains("damaged.ink at byte") && outcome.errors.contains("the file is damaged"))
      }
      #expect(try place.run(.benchmark, ["--model", "nowhere.ink"]).status == 66)
    }

    @Test func measures() throws {
      _ = try export()
      let outcome = try place.run(.benchmark, ["--model", "net.ink", "--seconds", "0.02"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      for expected in ["p50", "images/s", "GFLOP/s", "cold", "scratch", "clock"] {
        #expect(outcome.output.contains(expected), "\(expected)")
      }
      for line in outcome.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
      let json = try place.run(.benchmark, ["--model", "net.ink", "--seconds", "0.02", "--json"])
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      let latency = try #require(object["latency"] as? [String: Any])
      #expect(
        (latency["p50Microseconds"] as? Double ?? 0) > 0 && (object["throughput"] as? [Any])?.count == 3)
      #expect(try place.run(.benchmark, ["--model", "net.ink", "--kernels", "none"]).status == 64)
    }
  }
}
