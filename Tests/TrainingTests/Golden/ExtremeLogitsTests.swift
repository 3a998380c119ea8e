import Tensors
import Testing

@testable import Training

/// Logits of ±10,000: any e^logit overflows Float, and every probability rounds to 0 or 1.
@Suite struct ExtremeLogitsTests {
  struct Case: CustomTestStringConvertible {
    let label: UInt16
    let smoothing: Float
    /// In nats, from Σ q[k] · (10,000 - logit[k]), where log Σ e^logit is 10,000.
    let loss: Double
    /// p - q.
    let gradient: [Float]

    var testDescription: String { "class \(label), smoothing \(smoothing)" }
  }

  static let weights: [Float] = [10_000, -10_000, 0]

  @Test(arguments: [
    Case(label: 0, smoothing: 0, loss: 0, gradient: [0, 0, 0]),
    Case(label: 1, smoothing: 0, loss: 20_000, gradient: [1, -1, 0]),
    Case(label: 2, smoothing: 0, loss: 10_000, gradient: [1, 0, -1]),
    Case(label: 1, smoothing: 0.3, loss: 17_000, gradient: [0.9, -0.8, -0.1]),
  ])
  func lossAndGradientAreRight(expected: Case) throws {
    // The one pixel is 1, so that the weights are the logits and their gradient is the loss's derivative.
    let architecture = try Architecture(
      input: ImageShape(channels: 1, height: 1, width: 1), parsing: "dense 3 nobias")
    let values = Arena(copying: Self.weights)
    let gradient = Arena(valueCount: 3)
    let runner = BatchRunner(architecture: architecture, batchSize: 1, threads: 1)
    let outcome = [expected.label].withUnsafeBufferPointer {
      runner.differentiate(
        values: values.values, gradient: gradient.values, labels: $0,
        loss: SoftmaxCrossEntropy(labelSmoothing: expected.smoothing), seed: 0, step: 0
      ) { _, _, pixels in pixels[0] = 1 }
    }
    // Float32 resolves 1e-7 of the loss and of a probability; three terms are added.
    #expect(abs(outcome.loss - expected.loss) <= 1e-6 * expected.loss)
    for (found, right) in zip(gradient.array(3), expected.gradient) { #expect(abs(found - right) < 1e-6) }
  }
}
