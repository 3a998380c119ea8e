import Tensors
import Training

extension Model {
  /// A model with the weights of a file.
  ///
  /// ```swift
  /// let weights = try WeightFile(contentsOf: "mnist.safetensors")
  /// let model = try Model(architecture: architecture, weights: weights)
  /// ```
  ///
  /// Throws an `InterchangeError` with a table of what does not fit; see ``WeightMapping``.
  ///
  /// - Parameters:
  ///   - architecture: the network that was trained
  ///   - weights: its numbers
  ///   - normalization: what was done to the pixels in training, if anything
  public init(
    architecture: Architecture, weights: WeightFile, normalization: InputNormalization? = nil
  ) throws(InterchangeError) {
    let model = try WeightMapping(weights, onto: architecture).model
    self = if let normalization { try model.taking(normalizedBy: normalization) } else { model }
  }
}

/// A model that is to be trained further from the weights of a file.
public struct WeightStart: Sendable {
  public let model: Model
  /// How many classes the file's network has where that is another number; then the last layer starts afresh.
  public let replacedClasses: Int?

  /// Starts from a file's weights, but for a last dense layer that has another number of outputs there.
  ///
  /// Throws an `InterchangeError` where other layers do not fit, and a `DecompositionError` as
  /// `Model.init(architecture:initialization:seed:)` does.
  ///
  /// - Parameters:
  ///   - weights: the file
  ///   - architecture: the network to train
  ///   - normalization: what was done to the pixels when the file's weights were trained, if anything
  ///   - initialization: how a last layer that starts afresh is drawn
  ///   - seed: what that draw follows from
  public init(
    _ weights: WeightFile, as architecture: Architecture, normalization: InputNormalization? = nil,
    initialization: Initialization = .he, seed: UInt64
  ) throws {
    let mapping: WeightMapping
    do {
      mapping = try WeightMapping(weights, onto: architecture)
      replacedClasses = nil
    } catch {
      guard let other = Self.otherOutputs(weights, architecture) else { throw error }
      mapping = other
      replacedClasses = other.architecture.output.count
    }
    var model = mapping.model
    if replacedClasses != nil {
      let fresh = try Model(architecture: architecture, initialization: initialization, seed: seed)
      let last = architecture.layers.count - 1
      var values = fresh.values
      for (from, to) in zip(model.table.slots, fresh.table.slots) where to.layer != last {
        values.replaceSubrange(to.range, with: model.values[from.range])
      }
      model = Model(architecture: architecture, values: values)
    }
    self.model = if let normalization { try model.taking(normalizedBy: normalization) } else { model }
  }

  /// The mapping to the same network with as many outputs as one of the file's last layers may have.
  private static func otherOutputs(_ weights: WeightFile, _ architecture: Architecture) -> WeightMapping? {
    let counts = Set(weights.arrays.filter { $0.shape.count == 2 }.map { $0.shape[0] })
    // More than there are layers cannot all be theirs.
    guard counts.count <= architecture.layers.count else { return nil }
    for count in counts.sorted() where count > 0 && count <= 65_535 {
      guard let other = try? architecture.replacingOutput(classes: count),
        let mapping = try? WeightMapping(weights, onto: other)
      else { continue }
      return mapping
    }
    return nil
  }
}
