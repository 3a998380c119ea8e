import Foundation
import Testing

@testable import Training

extension ProgramTests {
  struct ReportTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
      try place.train(["--data", "data", "--layers", plain, "--epochs", "2", "--output", "run"] + quick)
    }

    private func text(_ name: String) throws -> String {
      String(decoding: try place.bytes(name), as: UTF8.self)
    }

    @Test func anEvaluationBecomesAPage() throws {
      let outcome = try place.run(.evaluate, ["--model", "run", "--data", "data", "--report", "report.html"])
      #expect(outcome.status == 0 && outcome.output.hasSuffix("\nreport  report.html\n"))
      let page = try text("report.html")
      #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
      #expect(page.contains("run/best.ckpt") && page.contains("data:image/png;base64,"))
      // Standard output stays one JSON object.
      let json = try place.evaluation(["--model", "run", "--data", "data", "--report", "again.html"])
      #expect(json.count == 60)
      #expect(try place.bytes("again.html") == place.bytes("report.html"))
    }

    @Test func aPageThatCannotBeWrittenIsAnErrorAndNothingElse() throws {
      let outcome = try place.run(
        .evaluate, ["--model", "run", "--data", "data", "--report", "no/report.html"])
      #expect(outcome.status == 73 && outcome.output.isEmpty && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("create its folder first"))
    }

    @Test func twoModelsAreCompared() throws {
      try place.train(
        ["--data", "data", "--layers", "dense 3", "--epochs", "1", "--output", "other"] + quick)
      let arguments = ["--model", "run", "--compare", "other", "--data", "data"]
      let outcome = try place.run(.evaluate, arguments)
      #expect(
        outcome.status == 0 && outcome.output.hasPrefix("on data/t10k-images-idx3-ubyte\n\nrun/best.ckpt\n"))
      #expect(outcome.output.contains("McNemar's exact test p"))
      let json = try place.run(.evaluate, arguments + ["--json"])
      let comparison = try JSONDecoder().decode(ComparisonJSON.self, from: Data(json.output.utf8))
      let first = try place.evaluation(["--model", "run", "--data", "data"])
      #expect(comparison.first.accuracy == first.accuracy && comparison.second.model == "other/best.ckpt")
      #expect(comparison.bothRight + comparison.onlyFirst.count == first.correct)
    }

    @Test func modelsOfOtherClassesAreNotCompared() throws {
      try place.pictures("four", training: Workplace.cycle(300, of: [0, 1, 2, 4]))
      try place.train(
        ["--data", "four", "--layers", "dense 4", "--epochs", "1", "--output", "other"] + quick)
      let outcome = try place.run(.evaluate, ["--model", "run", "--compare", "other", "--data", "data"])
      #expect(outcome.status == 65 && outcome.output.isEmpty && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("other/best.ckpt: expected a model of 3 classes"))
    }

    @Test func aRunBecomesAPage() throws {
      let outcome = try place.run(.train, ["--report", "run"])
      #expect(outcome.status == 0 && outcome.output == "report  run/report.html\n")
      // As a shell completes the name.
      #expect(try place.run(.train, ["--report", "run/"]).output == "report  run/report.html\n")
      let page = try text("run/report.html")
      for expected in [
        "2 of 2 epochs", "AdamW", "270 to train on, 30 for validation", "conv 3x3", "<polyline",
      ] {
        #expect(page.contains(expected), "\(expected)")
      }
    }

    @Test func aRunWithoutItsRecordsIsStillAPage() throws {
      for name in ["data.json", "metrics.csv", "best.ckpt"] {
        try FileManager.default.removeItem(atPath: "\(place.path)/run/\(name)")
      }
      #expect(try place.run(.train, ["--report", "run"]).status == 0)
      #expect(try text("run/report.html").contains("No epoch is complete yet."))
    }

    @Test func onlyARunBecomesAPage() throws {
      try place.write("not json", to: "run/data.json")
      for (arguments, status, expected) in [
        (["--report", "data"], 66, "data: expected the folder of a run"),
        (["--report", "run", "--epochs", "2"], 64, "--epochs does not go with --report"),
        (["--report", "run"], 65, "run/data.json: expected the data.json of a run"),
      ] as [([String], Int32, String)] {
        let outcome = try place.run(.train, arguments)
        #expect(outcome.status == status && outcome.output.isEmpty && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(expected))
      }
      #expect(!place.exists("run/report.html"))
    }

    @Test func theRunFolderHasItsCurveAndData() throws {
      let curve = try text("run/learning-curve.svg")
      #expect(curve.contains("Loss, accuracy and learning rate over 2 epochs"))
      let data = try DataSummary(contentsOf: "\(place.path)/run/data.json")
      #expect(
        data.trainingCount == 270 && data.validationCount == 30 && data.classes.map(\.label) == [0, 1, 2])
      #expect(data.shape.extents == [1, 8, 8] && (0.1..<0.4).contains(data.meanPixel))
    }
  }
}
