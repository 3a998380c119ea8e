import Datasets
import Inference
import PlainText
import Tensors

/// How a network is to be written as an `.ink` file.
public struct InkExport: Sendable {
  /// How weights are stored; biases stay float32.
  public var weights: TensorType
  /// The images by which whole-number arithmetic is calibrated; nil for arithmetic with floats.
  public var calibration: Dataset?
  /// The relative error that the weights of a dense layer may have after it is split in two; nil to split none.
  public var lowRankError: Float?
  /// Of each tensor in the file, in bytes.
  public var alignment: Int

  public init(
    weights: TensorType = .float16, calibration: Dataset? = nil, lowRankError: Float? = nil,
    alignment: Int = 4
  ) {
    self.weights = weights
    self.calibration = calibration
    self.lowRankError = lowRankError
    self.alignment = alignment
  }

  /// A network as it is to be stored.
  public struct Result: Sendable {
    public let network: LoweredNetwork
    public let tensors: [QuantizedMatrix]
    /// The whole file.
    public let bytes: [UInt8]
  }

  /// Lowers a checkpoint's model and stores it.
  ///
  /// Throws an `ExportError` for a network that the format has no room for, or a `DecompositionError`.
  public func run(_ checkpoint: Checkpoint) throws -> Result {
    var network = try checkpoint.lowered()
    if let lowRankError { network = try network.withLowRank(error: lowRankError) }
    if let calibration { network = network.withWholeNumbers(calibratedOn: calibration) }
    let tensors = network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? weights : .float32) }
    let writer = InkWriter(
      network, tensors: tensors, alignment: alignment, metadata: Self.metadata(checkpoint))
    return Result(network: network, tensors: tensors, bytes: writer.bytes)
  }

  /// Where the model comes from.
  private static func metadata(_ checkpoint: Checkpoint) -> [(key: String, value: String)] {
    var pairs = [("layers", checkpoint.model.architecture.text)]
    if let checksum = checkpoint.dataChecksum { pairs.append(("dataChecksum", checksum.hexadecimal)) }
    if let configuration = checkpoint.configuration { pairs.append(("seed", "\(configuration.seed)")) }
    if let accuracy = checkpoint.progress?.bestAccuracy {
      pairs.append(("validationAccuracy", accuracy.fixed(4)))
    }
    return pairs.map { (key: $0.0, value: $0.1) }
  }
}
