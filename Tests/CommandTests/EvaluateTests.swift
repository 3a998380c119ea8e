import Foundation
import Testing

@testable import Training

extension ProgramTests {
  struct EvaluateTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
      try place.train(["--data", "data", "--layers", plain, "--epochs", "6", "--output", "run"] + quick)
    }

    @Test func reportsForPeople() throws {
      let outcome = try place.run(.evaluate, ["--model", "run", "--data", "data"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.output.hasPrefix("run/best.ckpt on data/t10k-images-idx3-ubyte\n"))
      #expect(outcome.output.contains("accuracy 100.0% (60 of 60), 95% interval 94.0–100.0%"))
      #expect(outcome.output.contains("no mistakes"))
    }

    @Test func reportsForPrograms() throws {
      let outcome = try place.run(.evaluate, ["--model", "run", "--data", "data", "--json"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.output.split(separator: "\n").count == 1)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      #expect(
        object.keys.sorted() == [
          "accuracy", "accuracyHigh", "accuracyLow", "calibrationBins", "confusionMatrix", "correct", "count",
          "expectedCalibrationError", "loss", "macroF1", "mistakes", "perClass", "topK",
        ])
      #expect(object["accuracy"] as? Double == 1 && object["count"] as? Int == 60)
      #expect(object["confusionMatrix"] as? [[Int]] == [[20, 0, 0], [0, 20, 0], [0, 0, 20]])
    }

    @Test func takesARunOrACheckpoint() throws {
      let best = try place.evaluation(["--model", "run", "--data", "data"])
      #expect(try place.evaluation(["--model", "run/best.ckpt", "--data", "data"]) == best)
      let other = try place.evaluation(["--model", "run/last.ckpt", "--data", "data", "--threads", "3"])
      #expect(other.count == best.count)
    }

    @Test func takesNamedFiles() throws {
      let files = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte"].map { "data/\($0)" }
      let evaluation = try place.evaluation(
        ["--model", "run", "--test-images", files[0], "--test-labels", files[1]])
      #expect(evaluation.count == 300 && evaluation.accuracy == 1)
    }

    @Test func saysOnHowFewImagesAResultStands() throws {
      try place.pictures("three", test: [0, 1, 2])
      let outcome = try place.run(.evaluate, ["--model", "run", "--data", "three"])
      #expect(outcome.output.contains("accuracy 100.0% (3 of 3), 95% interval 43.9–100.0%"))
    }

    @Test func listsMistakes() throws {
      // Labels that are wrong on purpose: every picture of a 1 is called 0.
      try place.pictures("wrong", test: Workplace.cycle(30, of: [1]))
      var labels = try place.bytes("wrong/t10k-labels-idx1-ubyte")
      labels.replaceSubrange(8..., with: repeatElement(0, count: 30))
      try labels.write(to: URL(fileURLWithPath: "\(place.path)/wrong/t10k-labels-idx1-ubyte"))
      let arguments = ["--model", "run", "--data", "wrong", "--mistakes", "4"]
      let evaluation = try place.evaluation(arguments)
      #expect(evaluation.accuracy == 0 && evaluation.mistakes.count == 4)
      #expect(evaluation.mistakes.allSatisfy { $0.truth == "0" && $0.prediction == "1" })
      let text = try place.run(.evaluate, arguments).output
      #expect(text.contains("the 4 most confident of 30 mistakes"))
    }

    @Test func refusesDataThatDoesNotFit() throws {
      try place.pictures("empty", test: [])
      try place.pictures("unknown", test: [0, 1, 2, 0, 5])
      try place.pictures("large", side: 9)
      for (data, expected) in [
        ("empty", ["empty/t10k-labels-idx1-ubyte at byte 4", "an empty set"]),
        ("unknown", ["unknown/t10k-labels-idx1-ubyte at byte 12", "found 5 as label 4", "(0, 1, 2)"]),
        ("large", ["large/t10k-images-idx3-ubyte", "1×8×8", "1×9×9"]),
      ] {
        let outcome = try place.run(.evaluate, ["--model", "run", "--data", data])
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errorLines.count == 1)
        for text in expected { #expect(outcome.errors.contains(text)) }
      }
    }

    @Test func refusesWhatIsNoModel() throws {
      try place.write("INKLINGc", to: "short.ckpt")
      var bytes = try place.bytes("run/best.ckpt")
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: "\(place.path)/damaged.ckpt"))
      for (model, status, expected) in [
        ("nowhere", 66, "nowhere: expected a readable file"),
        ("data", 66, "no checkpoint in it; name a run folder or a .ckpt file"),
        ("data/t10k-labels-idx1-ubyte", 65, "expected a checkpoint"),
        ("short.ckpt", 65, "expected a whole checkpoint"),
        ("damaged.ckpt", 65, "the file is damaged"),
      ] as [(String, Int32, String)] {
        let outcome = try place.run(.evaluate, ["--model", model, "--data", "data"])
        #expect(outcome.status == status && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(expected))
      }
    }

    @Test func pointsToResumingWhereNoEpochIsComplete() throws {
      try FileManager.default.removeItem(atPath: "\(place.path)/run/best.ckpt")
      let outcome = try place.run(.evaluate, ["--model", "run", "--data", "data"])
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("go on with inkling-train --resume run"))
    }
  }
}
