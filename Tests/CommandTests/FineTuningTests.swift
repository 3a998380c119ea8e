import Testing

@testable import Training

extension ProgramTests {
  struct FineTuningTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
      try place.train(["--data", "data", "--layers", plain, "--epochs", "5", "--output", "base"] + quick)
    }

    /// A run from the base at a rate that leaves weights as they are.
    private func arguments(_ more: [String]) -> [String] {
      ["--init", "base", "--epochs", "1", "--learning-rate", "1e-20", "--output", "tuned"] + more
    }

    /// The numbers of a run's last model by layer, from 0.
    private func weights(_ run: String, layer: Int) throws -> [[Float]] {
      let model = try place.checkpoint("\(run)/best.ckpt").model
      return model.table.slots.filter { $0.layer == layer }.map { model[$0].elements }
    }

    @Test func keepsAllWeightsForTheSameClasses() throws {
      try place.train(arguments(["--data", "data", "--seed", "9"]))
      #expect(
        try place.checkpoint("tuned/best.ckpt").model.values
          == place.checkpoint("base/best.ckpt").model.values)
      let arguments = ["--model", "tuned", "--data", "data"]
      #expect(try place.evaluation(arguments).accuracy == 1)
    }

    @Test(arguments: [[0, 1, 5], [0, 1, 2, 5]] as [[UInt8]])
    func startsTheLastLayerAnewForOtherClasses(_ labels: [UInt8]) throws {
      try place.pictures(
        "other", training: Workplace.cycle(300, of: labels), test: Workplace.cycle(60, of: labels))
      let outcome = try place.train(arguments(["--data", "other"]))
      #expect(outcome.output.contains("maxpool 2, dense \(labels.count)\n"))
      #expect(try weights("tuned", layer: 0) == weights("base", layer: 0))
      #expect(try weights("tuned", layer: 3) != weights("base", layer: 3))
      #expect(try place.checkpoint("tuned/best.ckpt").classes.values == labels.map(Int.init))
    }

    @Test func namesWhatDoesNotFit() throws {
      try place.pictures("large", side: 9)
      for (more, expected) in [
        (["--data", "large"], ["base/best.ckpt: takes images of 1×8×8", "images of 1×9×9"]),
        (
          ["--data", "data", "--layers", "conv 3x3 5, relu, maxpool 2, dense 3"],
          ["layer 1 (conv 3x3 5): its weight is [5, 1, 3, 3], the checkpoint has weight [4, 1, 3, 3]"]
        ),
        (
          ["--data", "data", "--preset", "linear"],
          ["the checkpoint's network is \"\(plain)\", not \"dense 3\""]
        ),
      ] {
        let outcome = try place.run(.train, arguments(more))
        #expect(outcome.status == 65 && outcome.errorLines.count == 1)
        for text in expected { #expect(outcome.errors.contains(text)) }
        #expect(!place.exists("tuned"))
      }
    }
  }
}
