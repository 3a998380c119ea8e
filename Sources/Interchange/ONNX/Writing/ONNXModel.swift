import Foundation
import Inference
import Training
import Wire

/// A network as an ONNX file, for ONNX Runtime and everything else that reads such files.
///
/// ```swift
/// let model = try ONNXModel(exported.network, tensors: exported.tensors)
/// try Data(model.bytes).write(to: URL(fileURLWithPath: "digits.onnx"))
/// ```
///
/// Input: `image`, [N, channels, height, width], 0 to 255 as uint8 or as float; the scaling is inside. Outputs:
/// `probabilities`, float [N, classes], and `label`, int64 [N], the label value of the most probable class. N is any
/// number.
public struct ONNXModel: Sendable {
  /// The whole file. The same network and notes give the same bytes.
  public let bytes: [UInt8]

  /// - Parameters:
  ///   - network: the operations, with whole-number arithmetic or without.
  ///   - tensors: those of the network, as they are to be stored.
  ///   - options: the image's type, the version of the operators, and the names.
  ///   - notes: what the file says of the model in its metadata.
  ///
  /// Throws an `InterchangeError` where network and tensors do not fit each other, before a byte is written, and for what
  /// the opset has no room for. Cost: a few passes over the weights.
  public init(
    _ network: LoweredNetwork, tensors: [QuantizedMatrix], options: ONNXOptions = ONNXOptions(),
    notes: ModelNotes = ModelNotes()
  ) throws(InterchangeError) {
    try options.check()
    let metadata = try Self.metadata(network, notes)
    let layers = try ONNXLayers(network, tensors, options)
    var writer = ProtobufWriter()
    writer.integer(options.opset.irVersion, field: ONNXFormat.Model.irVersion)
    writer.string("Inkling", field: ONNXFormat.Model.producerName)
    if !notes.summary.isEmpty { writer.string(notes.summary, field: ONNXFormat.Model.documentation) }
    writer.message(field: ONNXFormat.Model.graph) { Self.write(layers, to: &$0) }
    writer.message(field: ONNXFormat.Model.opsetImport) {
      $0.integer(options.opset.rawValue, field: ONNXFormat.OperatorSet.version)
    }
    for (key, value) in metadata {
      writer.message(field: ONNXFormat.Model.metadata) {
        $0.string(key, field: ONNXFormat.Entry.key)
        $0.string(value, field: ONNXFormat.Entry.value)
      }
    }
    bytes = writer.bytes
  }

  private static func write(_ layers: ONNXLayers, to writer: inout ProtobufWriter) {
    let (input, options, count) = (layers.network.input, layers.options, layers.network.labels.count)
    writer.string("network", field: ONNXFormat.Graph.name)
    layers.graph.write(to: &writer)
    let extent = input.extent
    let image = ONNXValue(
      name: options.imageName, element: options.input == .uint8 ? .uint8 : .float,
      shape: [extent.channels, extent.height, extent.width],
      documentation: input.isInkHigh ? "0 is paper, 255 is ink" : "0 is ink, 255 is paper")
    let probabilities = ONNXValue(
      name: options.probabilitiesName, element: .float, shape: [count],
      documentation: "of each class, together 1")
    let label = ONNXValue(
      name: options.labelName, element: .int64, shape: [],
      documentation: "the label value of the most probable class")
    writer.message(field: ONNXFormat.Graph.input) { image.write(to: &$0) }
    for output in [probabilities, label] {
      writer.message(field: ONNXFormat.Graph.output) { output.write(to: &$0) }
    }
  }

  /// Keys and values; no key occurs twice, which ONNX forbids.
  private static func metadata(
    _ network: LoweredNetwork, _ notes: ModelNotes
  ) throws(InterchangeError) -> [(key: String, value: String)] {
    var pairs = [
      (key: "author", value: notes.author), (key: "license", value: notes.license),
    ].filter { !$0.value.isEmpty }
    pairs.append((key: "classNames", value: json(network.labels)))
    pairs.append((key: "labelValues", value: json(network.labelValues)))
    if network.refusalThreshold > 0 {
      pairs.append((key: "refusalThreshold", value: "\(network.refusalThreshold)"))
    }
    pairs.append((key: "takesNormalizedInk", value: "\(network.takesNormalizedInk)"))
    for fact in notes.facts {
      guard !pairs.contains(where: { $0.key == fact.name }) else {
        throw InterchangeError(
          "ONNX: expected facts of names that differ, found \"\(fact.name)\" twice; give it another name")
      }
      pairs.append((key: fact.name, value: fact.value))
    }
    return pairs
  }

  private static func json(_ values: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // Arrays of strings and of integers can always be encoded.
    return (try? encoder.encode(values)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }
}
