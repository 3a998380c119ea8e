import Inference
import Training
import Wire

/// A network as a Core ML model: the bytes of an `.mlmodel` file.
///
/// ```swift
/// let model = try CoreMLModel(exported.network, tensors: exported.tensors)
/// try Data(model.bytes).write(to: URL(fileURLWithPath: "Digits.mlmodel"))
/// ```
///
/// It takes an image and scales it inside. Before a byte is written the whole model is checked: the sizes of
/// what each layer takes and gives, its weights, labels, names and version. Neither Apple's validator nor
/// coremltools does that on Linux.
public struct CoreMLModel: Sendable {
  /// The whole file. The same network gives the same bytes.
  public let bytes: [UInt8]
  /// Which systems can read it: 1 is iOS 11, 2 iOS 11.2, 3 iOS 12, 4 iOS 13.
  public let specificationVersion: Int

  /// - Parameters:
  ///   - network: the operations, without whole-number arithmetic.
  ///   - tensors: those of the network, with weights as they are to be stored; all else stays float32.
  ///   - options: what kind of model, and the names of its input and outputs.
  ///   - notes: what the file says of itself.
  ///
  /// Throws an `InterchangeError` for images of other than one or three channels, for whole-number
  /// arithmetic, and where what `options` asks for does not fit the network. Cost: the weights are copied a
  /// few times.
  public init(
    _ network: LoweredNetwork, tensors: [QuantizedMatrix], options: CoreMLOptions = CoreMLOptions(),
    notes: ModelNotes = ModelNotes()
  ) throws(InterchangeError) {
    let file = try CoreMLAssembly(network, tensors: tensors, names: options.names, notes: notes)
      .file(options.kind)
    try CoreMLCheck.check(file)
    specificationVersion = file.version
    var writer = ProtobufWriter()
    file.write(to: &writer)
    bytes = writer.bytes
  }
}
