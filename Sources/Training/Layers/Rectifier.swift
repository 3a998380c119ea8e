import Tensors

/// ReLU, or leaky ReLU: y = x where x > 0, slope · x elsewhere.
///
/// At 0 the derivative is taken to be the slope.
public struct Rectifier: Hashable, Sendable {
  /// In 0..<1; 0 is plain ReLU.
  public var slope: Float

  public init(slope: Float = 0) {
    self.slope = slope
  }
}

extension Rectifier: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape { input }

  var grain: Grain { .either }
  var isInPlace: Bool { true }
  var backwardReadsOutput: Bool { true }

  func forward(_ pass: LayerPass) {
    let values = pass.output
    // Compared this way round a NaN stays one and is noticed in the loss.
    for i in 0..<pass.count * pass.outputShape.count {
      values[i] = values[i] < 0 ? slope * values[i] : values[i]
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    let (values, gradient) = (pass.output, gradients.output)
    // With a slope of at least 0 the output is positive exactly where the input was.
    for i in 0..<pass.count * pass.outputShape.count {
      gradient[i] = values[i] > 0 ? gradient[i] : slope * gradient[i]
    }
  }

  public var description: String { slope == 0 ? "relu" : "leakyrelu \(slope)" }
}
