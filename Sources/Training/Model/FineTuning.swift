import Datasets
import Tensors

/// A model that cannot start from another one's weights.
public struct FineTuningError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

extension Architecture {
  /// The same network with its last dense layer made for `classes` classes.
  ///
  /// Throws a `FineTuningError` if the network does not end in a dense layer.
  public func replacingOutput(classes: Int) throws(FineTuningError) -> Architecture {
    guard output.count != classes else { return self }
    guard case .dense(var last) = layers.last else {
      throw FineTuningError(
        description: "the network ends in \(layers.last.map { "\($0)" } ?? "nothing"), so it cannot be made "
          + "for \(classes) classes; give --layers that end in dense \(classes)")
    }
    last.outputs = classes
    do {
      return try Architecture(input: input, layers: layers.dropLast() + [.dense(last)])
    } catch {
      throw FineTuningError(description: "\(error)")
    }
  }
}

extension Model {
  /// A model that starts from the weights of `checkpoint`; its last layer starts afresh where the classes,
  /// compared by name, are not the same.
  ///
  /// Throws a `FineTuningError` that names the first layer whose weights do not fit.
  public init(
    fineTuning checkpoint: Checkpoint, as architecture: Architecture, classes: ClassTable,
    initialization: Initialization, seed: UInt64
  ) throws {
    let base = checkpoint.deployed
    try self.init(architecture: architecture, initialization: initialization, seed: seed)
    guard base.architecture.input == architecture.input else {
      throw FineTuningError(
        description: "the checkpoint takes images of \(base.architecture.input), the data has "
          + "\(architecture.input)")
    }
    guard base.table.slots.count == table.slots.count else {
      throw FineTuningError(
        description:
          "the checkpoint's network is \"\(base.architecture.text)\", not \"\(architecture.text)\"; "
          + "leave --preset and --layers out to take it as it is")
    }
    let keepsOutput = checkpoint.classes.names == classes.names
    let last = table.slots.map(\.layer).max()
    for (from, to) in zip(base.table.slots, table.slots) where keepsOutput || to.layer != last {
      guard from.shape == to.shape, from.name == to.name else {
        throw FineTuningError(
          description:
            "layer \(to.layer + 1) (\(architecture.layers[to.layer])): its \(to.name) is \(to.shape), "
            + "the checkpoint has \(from.name) \(from.shape)")
      }
      self[to] = base[from]
    }
  }
}
