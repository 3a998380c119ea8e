import Datasets
import Foundation
import Inference
import PlainText
import Training

/// A network from an ONNX file, as Inkling's own operations.
///
/// ```swift
/// let model = try ONNXNetwork(contentsOf: "mnist.onnx")
/// let file = try InkExport(weights: .int8).run(ExportSource(model.network))
/// ```
///
/// It has to be a chain of the operators that Inkling has; the article "ONNX models" lists them. What can be folded is:
/// constants that are computed, scalings at the input, batch normalisation.
public struct ONNXNetwork: Sendable {
  /// Takes pixels as `pixelScale` says.
  public let network: LoweredNetwork
  /// What a pixel of 0 to 255 was multiplied by, to be what the file takes.
  public let pixelScale: Float
  /// Whether the file's metadata says that it takes pixels of 0 to 255, though `pixelScale` is another.
  public let declaresBytes: Bool
  /// Whether the file rounds values between its layers to bytes, which `network` does not.
  public let roundsValues: Bool

  /// The file's arithmetic with whole numbers, by operation.
  let integers: [Int: Inference.Operation.IntegerScales]
  /// Weights that the file has as whole numbers, by tensor.
  let wholeWeights: [Int: QuantizedMatrix]

  /// The most bytes of a file: far more than what a small classifier takes.
  static let largestByteCount = 1 << 29

  /// Reads a file.
  ///
  /// Throws a `FileError` if it cannot be read, and an `InterchangeError` that names the first node that Inkling does not
  /// have. Takes memory in proportion to the file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - pixelScale: what a pixel of 0 to 255 is multiplied by before it is handed to the file's first node; nil for 1
  ///     where the file takes bytes or scales them itself, and for 1/255 otherwise.
  public init(contentsOf path: String, pixelScale: Float? = nil) throws {
    let reader = try FileReader(path: path)
    guard reader.byteCount <= Self.largestByteCount else {
      throw FileError(
        .malformed, path: path, expected: "an ONNX file of at most 512 MB",
        found: "\(reader.byteCount.groupedDigits) bytes", remedy: "export a small network")
    }
    try self.init(bytes: try reader.readAll(), name: path, pixelScale: pixelScale)
  }

  /// Reads the bytes of a file, which errors call `name`; see `init(contentsOf:pixelScale:)`.
  public init(bytes: [UInt8], name: String, pixelScale: Float? = nil) throws(InterchangeError) {
    let file = try ONNXFile(bytes, name: name)
    let inputs = file.inputs.filter { file.initializers[$0.name] == nil }
    guard let input = inputs.first, inputs.count == 1 else {
      throw InterchangeError(
        "\(name): expected one input, the image, found \(inputs.count); export a classifier of images")
    }
    guard let element = input.element, element.canBePixels else {
      throw InterchangeError(
        "\(name): expected an input of numbers that pixels of 0 to 255 fit into, found \(input.name.quoted) of another "
          + "type; export it for uint8 or float")
    }
    guard let layout = ONNXLayout(inputShape: input.shape ?? []) else {
      let shape =
        input.shape.map { $0.map { $0.map(String.init) ?? "?" }.joined(separator: "×") } ?? "unknown shape"
      throw InterchangeError(
        "\(name): expected images of a fixed size with the batch in front, found input \(input.name.quoted) of "
          + "\(shape); export it for one size, such as ?×1×28×28")
    }
    guard let output = Self.scores(file) else {
      throw InterchangeError("\(name): expected an output, found none; export the model again")
    }
    var chain = ONNXChain(file, byteCount: bytes.count, input: input, layout: layout)
    try chain.read(upTo: output, name: name)
    let takesBytes = element.isWhole || chain.takesBytes
    if let pixelScale, takesBytes ? pixelScale != 1 : !pixelScale.isFinite || pixelScale == 0 {
      throw InterchangeError(
        "\(name): expected a scale of \(takesBytes ? "1, since the file takes bytes" : "another number than 0"), "
          + "found \(pixelScale); leave --scale out")
    }
    let scale = pixelScale ?? (takesBytes || chain.scalesBytes ? 1 : 1 / 255)
    self.pixelScale = scale
    declaresBytes = file.metadata["Image.NominalPixelRange"] == "NominalRange_0_255" && scale != 1
    roundsValues = chain.roundsValues
    network = try chain.network(pixelScale: scale, image: layout.extent, name: name)
    (integers, wholeWeights) = (chain.integers, chain.wholeWeights)
  }

  /// The output with the classes' scores: the one that is computed last, since what else is given out of a chain lies
  /// before. Labels are whole numbers or strings; scores say more.
  private static func scores(_ file: ONNXFile) -> String? {
    let scores = file.outputs.filter { ![.int64, .int32, .string].contains($0.element) }
    var names = Set(scores.map(\.name))
    if names.isEmpty { names = Set(file.outputs.prefix(1).map(\.name)) }
    for node in file.nodes.reversed() {
      if let name = node.outputs.first(where: names.contains) { return name }
    }
    return (scores.first ?? file.outputs.first)?.name
  }
}

extension ONNXElement {
  /// Whether the numbers 0 to 255 are of this type.
  fileprivate var canBePixels: Bool {
    switch self {
    case .float, .float16, .bfloat16, .double: true
    case .uint8, .uint16, .int16, .uint32, .int32, .uint64, .int64: true
    case .int8, .uint4, .int4, .bool, .string: false
    }
  }
}

extension ONNXChain {
  /// Whether the file makes numbers of about 1 out of bytes itself.
  fileprivate var scalesBytes: Bool {
    let most: Float = 0.05
    if scale.magnitude < most { return true }
    guard case .affine(let factors, _) = list.operations.first else { return false }
    return list.tensors[factors].values.allSatisfy { $0.magnitude < most }
  }

  fileprivate func network(
    pixelScale: Float, image: Extent3, name: String
  ) throws(InterchangeError) -> LoweredNetwork {
    let count = layout.extent.channels
    guard layout.extent.planeCount == 1, count <= 65_535, !padding.isSome else {
      throw InterchangeError(
        "\(name): expected a score for each class at the end, found values of \(layout.shape); "
          + "end the network in a dense layer")
    }
    let isFinite =
      [scale * pixelScale, offset].allSatisfy(\.isFinite) && list.operations.allSatisfy(\.isFinite)
    guard isFinite, list.tensors.allSatisfy({ $0.values.allSatisfy(\.isFinite) }) else {
      throw InterchangeError(
        "\(name): expected weights and factors that are finite, found others; train or export the model again"
      )
    }
    let network = LoweredNetwork(
      input: Network.InputDescription(extent: image, scale: scale * pixelScale, offset: offset),
      operations: list.operations + [.softmax], tensors: list.tensors,
      labels: names(count), labelValues: values(count),
      refusalThreshold: threshold,
      takesNormalizedInk: file.metadata["takesNormalizedInk"] == "true")
    do throws(InkError) {
      let tensors = network.tensors.map { QuantizedMatrix($0, as: .float32) }
      _ = try Network(copying: InkWriter(network, tensors: tensors).bytes)
    } catch {
      throw InterchangeError(
        "\(name): expected a network that an .ink file has room for, found one that is none for it (\(error.reason)); "
          + "use a smaller one")
    }
    return network
  }

  /// Below which probability an image shows none of the classes, where Inkling wrote the file.
  private var threshold: Float {
    let threshold = file.metadata["refusalThreshold"].flatMap { Float($0) } ?? 0
    return (0...1).contains(threshold) ? threshold : 0
  }

  /// The classes' names, where Inkling wrote the file, or else their label values.
  private func names(_ count: Int) -> [String] {
    let names = file.metadata["classNames"].flatMap {
      try? JSONDecoder().decode([String].self, from: Data($0.utf8))
    }
    guard let names, names.count == count, names.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
      return values(count).map(String.init)
    }
    return names
  }

  private func values(_ count: Int) -> [Int] {
    let values = file.metadata["labelValues"].flatMap {
      try? JSONDecoder().decode([Int].self, from: Data($0.utf8))
    }
    guard let values, values.count == count, zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }),
      values.allSatisfy({ Int32(exactly: $0) != nil })
    else { return Array(0..<count) }
    return values
  }
}

extension Inference.Operation {
  fileprivate var isFinite: Bool {
    switch self {
    case .convolution(let convolution): convolution.activation.isFinite
    case .dense(let dense): dense.activation.isFinite
    case .activation(let activation): activation.isFinite
    case .maximumPool, .averagePool, .globalAveragePool, .flatten, .softmax, .affine: true
    }
  }
}

extension Inference.Operation.Activation {
  fileprivate var isFinite: Bool { if case .leaky(let slope) = self { slope.isFinite } else { true } }
}
