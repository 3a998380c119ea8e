import Datasets
import Inference
import PlainText

/// A network that is to be exported, and where it comes from.
public struct ExportSource: Sendable {
  public var network: LoweredNetwork
  /// Where it comes from: pairs of a key and a value that go into the file.
  public var metadata: [(key: String, value: String)]
  /// What trained here, which computes by the code for training; nil for a network from elsewhere.
  private let model: Model?

  /// What was trained here.
  ///
  /// Throws an `ExportError` for a network that the `.ink` format has no room for.
  public init(_ checkpoint: Checkpoint) throws(ExportError) {
    network = try checkpoint.lowered()
    model = checkpoint.deployed
    metadata = [("layers", checkpoint.model.architecture.text)]
    if let checksum = checkpoint.dataChecksum { metadata.append(("dataChecksum", checksum.hexadecimal)) }
    if let configuration = checkpoint.configuration { metadata.append(("seed", "\(configuration.seed)")) }
    if let accuracy = checkpoint.progress?.bestAccuracy {
      metadata.append(("validationAccuracy", accuracy.fixed(4)))
    }
  }

  /// A network from elsewhere.
  public init(_ network: LoweredNetwork, metadata: [(key: String, value: String)] = []) {
    self.network = network
    self.metadata = metadata
    model = nil
  }

  /// What the network says of some images before anything is stored in fewer bits.
  ///
  /// Throws an `InkError` for a network from elsewhere that no `.ink` file can hold.
  public func predictions(for data: Dataset, threads: Int) throws -> Predictions {
    if let model { return Predictions(of: model, for: data, threads: threads) }
    let tensors = network.tensors.map { QuantizedMatrix($0, as: .float32) }
    let floats = try Network(copying: InkWriter(network, tensors: tensors).bytes).preparedForHost()
    return Predictions(of: floats, for: data, threads: threads)
  }
}
