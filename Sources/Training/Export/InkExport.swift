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
  /// How the refusal of images that show none of the classes is calibrated; nil to refuse none.
  public var refusal: Refusal.Rule?
  /// Whether drawings and pictures are brought into the form of `NormalizedInk`.
  public var takesNormalizedInk: Bool
  /// Threads that look at the images of `refusal`.
  public var threads: Int

  public init(
    weights: TensorType = .float16, calibration: Dataset? = nil, lowRankError: Float? = nil,
    alignment: Int = 4, refusal: Refusal.Rule? = nil, takesNormalizedInk: Bool = false, threads: Int = 1
  ) {
    self.weights = weights
    self.calibration = calibration
    self.lowRankError = lowRankError
    self.alignment = alignment
    self.refusal = refusal
    self.takesNormalizedInk = takesNormalizedInk
    self.threads = threads
  }

  /// A network as it is to be stored.
  public struct Result: Sendable {
    public let network: LoweredNetwork
    public let tensors: [QuantizedMatrix]
    /// Nil where none is refused.
    public let refusal: Refusal?
    /// The whole file.
    public let bytes: [UInt8]
  }

  /// Lowers a checkpoint's model and stores it.
  ///
  /// Throws an `ExportError` for a network that the format has no room for or weights beyond what they are to be stored
  /// as, or a `DecompositionError`.
  public func run(_ checkpoint: Checkpoint) throws -> Result { try run(ExportSource(checkpoint)) }

  /// Stores a network.
  ///
  /// Throws an `InkError` for one that no `.ink` file can hold, an `ExportError` for weights beyond what they are to be
  /// stored as, or a `DecompositionError`.
  public func run(_ source: ExportSource) throws -> Result {
    var network = source.network
    network.takesNormalizedInk = takesNormalizedInk
    let temperature = try refusal.map {
      try source.predictions(for: $0.images, threads: threads).bestTemperature
    }
    if let temperature { network = network.withLogits(dividedBy: temperature) }
    if let lowRankError { network = try network.withLowRank(error: lowRankError) }
    if let calibration { network = network.withWholeNumbers(calibratedOn: calibration) }
    try requireStorable(network)
    let tensors = network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? weights : .float32) }
    func bytes() -> [UInt8] {
      InkWriter(network, tensors: tensors, alignment: alignment, metadata: source.metadata).bytes
    }
    guard let refusal, let temperature else {
      return Result(network: network, tensors: tensors, refusal: nil, bytes: bytes())
    }
    // By the file's own answers, which storage has changed a little.
    let stored = try Network(copying: bytes()).preparedForHost()
    let found = Refusal(
      refusal, temperature: temperature,
      predictions: Predictions(of: stored, for: refusal.images, threads: threads))
    network.refusalThreshold = found.threshold
    return Result(network: network, tensors: tensors, refusal: found, bytes: bytes())
  }

  private func requireStorable(_ network: LoweredNetwork) throws(ExportError) {
    guard weights == .float16 else { return }
    for tensor in network.tensors where tensor.isWeight {
      guard let weight = tensor.values.first(where: { !($0.magnitude <= 65_504) }) else { continue }
      throw .beyondHalfPrecision(weight)
    }
  }
}
