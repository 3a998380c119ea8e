import Datasets
import Foundation
import Testing

@testable import Training

@Suite struct SoftmaxCrossEntropyTests {
  /// Loss and derivative as the definition reads, in Double.
  private func reference(
    _ logits: [Float], _ label: Int, smoothing: Double, weights: [Double]
  ) -> (loss: Double, gradient: [Double]) {
    let largest = Double(logits.max() ?? 0)
    let exponentials = logits.map { exp(Double($0) - largest) }
    let total = exponentials.reduce(0, +)
    let targets = logits.indices.map {
      weights[$0] * (smoothing / Double(logits.count) + ($0 == label ? 1 - smoothing : 0))
    }
    let logProbabilities = logits.map { Double($0) - largest - log(total) }
    let loss = zip(targets, logProbabilities).reduce(0) { $0 - $1.0 * $1.1 }
    let sum = targets.reduce(0, +)
    return (loss, logits.indices.map { sum * exponentials[$0] / total - targets[$0] })
  }

  @Test(
    arguments: [
      [0, 0, 0], [1, 2, 3], [-5, 0.5, 5], [10_000, -10_000, 0], [-10_000, 10_000, 10_000], [80, -80, 79.5],
    ] as [[Float]], [0, 0.1] as [Float])
  func agreesWithItsDefinition(logits: [Float], smoothing: Float) {
    for label in logits.indices {
      for weights in [nil, [1, 2, 0.5]] as [[Float]?] {
        let loss = SoftmaxCrossEntropy(labelSmoothing: smoothing, classWeights: weights)
        var row = logits
        let outcome = loss.differentiate(
          logits: &row, labels: [UInt16(label)], count: 1, classes: 3, scale: 0.25)
        let expected = reference(
          logits, label, smoothing: Double(smoothing), weights: (weights ?? [1, 1, 1]).map { Double($0) })
        // Float32 logits up to 20,000 apart.
        #expect(abs(outcome.loss - expected.loss) <= 1e-6 * max(1, abs(expected.loss)))
        #expect(zip(row, expected.gradient).allSatisfy { abs(Double($0) - 0.25 * $1) < 1e-6 })
      }
    }
  }

  /// The gradient of an outlier pulls every probability to the same share.
  @Test(arguments: [nil, [1, 2, 0.5]] as [[Float]?]) func outliersAreOfNoClass(weights: [Float]?) {
    let loss = SoftmaxCrossEntropy(labelSmoothing: 0.1, classWeights: weights)
    #expect(loss.weight(of: Dataset.noClass) == 1)
    var row: [Float] = [0, 2, -1]
    let outcome = loss.differentiate(
      logits: &row, labels: [Dataset.noClass], count: 1, classes: 3, scale: 0.25)
    let exponentials = [1, exp(2), exp(-1)]
    let total = exponentials.reduce(0, +)
    let expected = exponentials.reduce(0) { $0 - log($1 / total) / 3 }
    #expect(abs(outcome.loss - expected) < 1e-6)
    #expect(zip(row, exponentials).allSatisfy { abs(Double($0) - 0.25 * ($1 / total - 1 / 3)) < 1e-6 })
    // The second class has 84%, which is too sure of itself.
    #expect(outcome.correct == 0)
    var even: [Float] = [0.5, 0.4, 0.5]
    #expect(
      loss.differentiate(logits: &even, labels: [Dataset.noClass], count: 1, classes: 3, scale: 1).correct
        == 1)
  }

  @Test func countsWhatIsRight() {
    var logits: [Float] = [1, 2, 3, 4]
    let outcome = SoftmaxCrossEntropy().differentiate(
      logits: &logits, labels: [1, 0], count: 2, classes: 2, scale: 1)
    #expect(outcome.correct == 1)
  }

  @Test func evaluationGivesProbabilitiesAndLosses() {
    var logits: [Float] = [10_000, 0, 0, log(3)]
    var losses: [Float] = [0, 0]
    SoftmaxCrossEntropy.evaluate(logits: &logits, labels: [1, 1], losses: &losses, count: 2, classes: 2)
    #expect(logits[0] == 1 && logits[1] == 0 && losses[0] == 10_000)
    #expect(abs(logits[3] - 0.75) < 1e-6 && abs(losses[1] - log(4.0 / 3)) < 1e-6)
  }
}
