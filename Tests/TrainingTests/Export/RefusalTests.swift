import Datasets
import Foundation
import HostInference
import Tensors
import Testing

@testable import Training

struct RefusalTests {
  /// 100 images of two classes, whose logits are 0 and ±2.
  private func predictions(right: Int, probability: Float = 0.880797) -> Predictions {
    let rows = [[1 - probability, probability]]
    return Predictions(
      probabilities: (0..<100).flatMap { _ in rows[0] }, losses: [Float](repeating: 0, count: 100),
      truths: (0..<100).map { $0 < right ? 1 : 0 }, classCount: 2)
  }

  /// Where the probability is the share of right answers, the loss is least: ln(r / (1 - r)) = 2 / T.
  @Test(arguments: [60, 75, 88, 99]) func theTemperatureFitsTheAccuracy(right: Int) {
    let share = Double(right) / 100
    let byHand = 2 / log(share / (1 - share))
    // 0.880797 has six digits.
    #expect(abs(predictions(right: right).bestTemperature - byHand) < 1e-4 * byHand)
  }

  @Test func theTemperatureStaysWithinItsBounds() {
    // The slope of the loss, exp(-2 / T), is lost in rounding before 1/20 is reached.
    #expect(abs(predictions(right: 100).bestTemperature - 0.05) < 1e-3)
    #expect(abs(predictions(right: 10).bestTemperature - 20) < 1e-6)
    // Of certain answers the logits are infinite.
    #expect(predictions(right: 99, probability: 1).bestTemperature.isFinite)
  }

  private func refusal(_ highest: [Float], share: Double) -> Refusal {
    let predictions = Predictions(
      probabilities: highest.flatMap { [$0, 1 - $0] }, losses: highest, truths: highest.map { _ in 0 },
      classCount: 2)
    let images = Dataset(
      shape: ImageShape(channels: 1, height: 1, width: 1), pixels: [], labels: [],
      classes: ClassTable(values: [0, 1]), source: "")
    return Refusal(.init(images: images, share: share), temperature: 1, predictions: predictions)
  }

  @Test func noMoreThanTheShareIsRefused() {
    let highest: [Float] = (0..<100).map { 0.5 + Float($0) / 256 }.shuffled()
    #expect(refusal(highest, share: 0).threshold < 0.5 && refusal(highest, share: 0).threshold > 0.49)
    #expect(refusal(highest, share: 0).refusedCount == 0)
    #expect(refusal(highest, share: 0.05).refusedCount == 5)
    #expect(refusal(highest, share: 0.059).refusedCount == 5)
    #expect(refusal(highest, share: 0.059).threshold == 0.5 + 4.5 / 256)
    // Of equals none or all are refused.
    #expect(refusal([0.6, 0.6, 0.6, 0.9], share: 0.5).refusedCount == 0)
  }

  private func checkpoint(_ layers: String) throws -> Checkpoint {
    let shape = ImageShape(channels: 1, height: 28, width: 28)
    let architecture = try Architecture(input: shape, parsing: layers)
    return Checkpoint(
      model: try Model(architecture: architecture, seed: 3), classes: ClassTable(values: [0, 1, 2]))
  }

  private func images(_ count: Int) -> Dataset {
    Dataset(
      shape: ImageShape(channels: 1, height: 28, width: 28),
      pixels: (0..<count * 784).map { (index: Int) -> UInt8 in UInt8((index * 31 + index / 784 * 17) % 251) },
      labels: (0..<count).map { (index: Int) -> UInt16 in UInt16(index % 3) },
      classes: ClassTable(values: [0, 1, 2]), source: "images")
  }

  /// Whatever the last layers are, the logarithms of the file's probabilities are those of the model, divided.
  @Test(arguments: [
    "dense 3", "dense 8, relu, dense 3", "conv 3x3 3, batchnorm, globalavgpool", "conv 28x28 3",
    "conv 3x3 3, leakyrelu 0.1, globalavgpool", "maxpool 4, dense 3, batchnorm",
  ])
  func logitsAreDivided(layers: String) throws {
    let (checkpoint, data) = (try checkpoint(layers), images(40))
    let plain = try InkExport(weights: .float32).run(checkpoint)
    let result = try InkExport(weights: .float32, refusal: .init(images: data, share: 0.1)).run(checkpoint)
    let refusal = try #require(result.refusal)
    let (before, after) = (try Network(copying: plain.bytes), try Network(copying: result.bytes))
    #expect(refusal.temperature != 1)
    #expect(before.refusalThreshold == 0 && after.refusalThreshold == refusal.threshold)
    for image in 0..<10 {
      let pixels = Array(data.pixels[image * 784..<(image + 1) * 784])
      let (first, second) = (try before.predict(pixels), try after.predict(pixels))
      for other in 1..<3 {
        let logit = log(Double(first.probabilities[other] / first.probabilities[0]))
        let divided = log(Double(second.probabilities[other] / second.probabilities[0]))
        // Sums of floats, in another scale.
        #expect(abs(divided - logit / refusal.temperature) < 1e-4 * max(1, abs(divided)))
      }
      #expect(!first.isRefused && second.isRefused == (second.probability < refusal.threshold))
    }
    let refused = try (0..<40).count {
      try after.preparedForHost().predict(Array(data.pixels[$0 * 784..<($0 + 1) * 784])).isRefused
    }
    #expect(refused == refusal.refusedCount && refused <= 4)
  }
}
