import PlainText
import Tensors

/// A network's layers and the images it takes; every layer is known to fit the one before.
///
/// ```swift
/// let architecture = try Architecture(
///   input: ImageShape(channels: 1, height: 28, width: 28),
///   parsing: "conv 3x3 32, relu, maxpool 2, dense 10")
/// print(architecture.summary)
/// ```
public struct Architecture: Hashable, Sendable {
  /// The images that the network takes.
  public let input: ImageShape
  public let layers: [Layer]
  /// The output of each layer.
  public let outputs: [ImageShape]

  /// A network of the given layers.
  ///
  /// Throws `ArchitectureError` for the first layer that cannot take the output of the one before.
  public init(input: ImageShape, layers: [Layer]) throws(ArchitectureError) {
    try Architecture.check(input)
    var shape = input
    var outputs: [ImageShape] = []
    for (position, layer) in layers.enumerated() {
      do {
        shape = try layer.checkedOutputShape(for: shape)
      } catch {
        throw ArchitectureError(
          layer: position + 1, text: "\(layer)", reason: error.reason, input: shape)
      }
      outputs.append(shape)
    }
    self.input = input
    self.layers = layers
    self.outputs = outputs
  }

  /// Throws unless images of such a shape can be taken in: a side must be exact as a `Float` coordinate.
  static func check(_ input: ImageShape) throws(ArchitectureError) {
    guard input.extents.allSatisfy({ (1...1 << 22).contains($0) }), !Layer.isTooLarge(input.extents) else {
      throw ArchitectureError(
        layer: 0, text: "input", reason: "images of \(input.extents) cannot be taken in")
    }
  }

  /// What the last layer gives: one logit a class.
  public var output: ImageShape { outputs.last ?? input }

  /// The input of the layer at `position`.
  func input(of position: Int) -> ImageShape { position == 0 ? input : outputs[position - 1] }

  /// The number of trainable parameters.
  public var parameterCount: Int {
    layers.indices.reduce(0) { $0 + parameterCount(of: $1) }
  }

  func parameterCount(of position: Int) -> Int {
    layers[position].rule.parameters(for: input(of: position))
      .reduce(0) { $0 + ($1.isState ? 0 : $1.count) }
  }

  /// Multiply-adds of the layer at `position` for one image in the forward pass.
  func multiplyAdds(of position: Int) -> Int {
    layers[position].rule.multiplyAdds(from: input(of: position), to: outputs[position])
  }

  /// Throws unless the network gives one value for each of `classes`.
  public func requireOutput(classes: Int) throws(ArchitectureError) {
    guard output.count != classes else { return }
    throw ArchitectureError(
      layer: layers.count, text: layers.last.map { "\($0)" } ?? "nothing",
      reason:
        "the network ends in \(output.count.groupedDigits) values, but there are \(classes.groupedDigits) classes; "
        + "end it with dense \(classes)")
  }
}

/// A layer that cannot be read or does not fit.
public struct ArchitectureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The layer's number, from 1.
  public let layer: Int
  public let text: String
  public let reason: String
  public var input: ImageShape?

  public var description: String {
    let place = input.map { " after an output of \($0)" } ?? ""
    return "layer \(layer) (\(text))\(place): \(reason)"
  }
}
