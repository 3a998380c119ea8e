import Tensors

/// Images become vectors in C, H, W order. A dense layer does so by itself; this says it aloud.
public struct Flatten: Hashable, Sendable {
  public init() {}
}

extension Flatten: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape {
    ImageShape(channels: input.count, height: 1, width: 1)
  }

  // The order in memory is C, H, W already.
  var isInPlace: Bool { true }
  var grain: Grain { .either }
  func forward(_ pass: LayerPass) {}
  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {}

  public var description: String { "flatten" }
}
