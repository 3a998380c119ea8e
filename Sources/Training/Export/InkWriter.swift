import Inference
import Wire

/// Writes the `.ink` format; `InkFormat` in Inference says what stands where.
public struct InkWriter {
  private let network: LoweredNetwork
  private let tensors: [QuantizedMatrix]
  private let alignment: Int
  private let metadata: [(key: String, value: String)]

  /// - Parameters:
  ///   - network: what is to be written.
  ///   - tensors: those of the network, as they are to be stored.
  ///   - alignment: of each tensor's data in the file: 1, 2, 4, … 64 bytes. A microcontroller that computes from flash
  ///     needs 4.
  ///   - metadata: pairs of a key of at most 255 bytes and a value of at most 65,535.
  public init(
    _ network: LoweredNetwork, tensors: [QuantizedMatrix], alignment: Int = 4,
    metadata: [(key: String, value: String)] = []
  ) {
    precondition(tensors.count == network.tensors.count)
    precondition([1, 2, 4, 8, 16, 32, 64].contains(alignment))
    self.network = network
    self.tensors = tensors
    self.alignment = alignment
    self.metadata = metadata
  }

  /// The whole file.
  public var bytes: [UInt8] {
    var sections: [(tag: InkFormat.Section, content: [UInt8])] = [
      (.input, input), (.labels, labels), (.operations, operations),
    ]
    if network.labelValues != Array(network.labels.indices) {
      sections.append((.values, network.labelValues.flatMap { word($0) }))
    }
    if network.refusalThreshold > 0 { sections.append((.refusal, network.refusalThreshold.bytes)) }
    if network.takesNormalizedInk { sections.append((.normalization, [1])) }
    if !metadata.isEmpty { sections.append((.metadata, metadataBytes)) }
    var file =
      InkFormat.magicBytes + [InkFormat.version, UInt8(alignment)] + short(sections.count + 1) + word(0)
    for section in sections { append(section.tag, section.content, to: &file) }
    // Last, since its offsets count from the start of the file.
    append(.tensors, tensorBytes(at: file.count + InkFormat.sectionHeaderByteCount), to: &file)
    file.replaceSubrange(8..<12, with: word(file.count + InkFormat.checksumByteCount))
    let checksum = file.withUnsafeBytes { CRC32.checksum($0) }
    return file + word(Int(checksum))
  }

  private func append(_ tag: InkFormat.Section, _ content: [UInt8], to file: inout [UInt8]) {
    file += word(Int(tag.rawValue)) + word(content.count) + content
  }

  private var input: [UInt8] {
    let input = network.input
    return short(input.extent.width) + short(input.extent.height)
      + [UInt8(input.extent.channels), input.isInkHigh ? 1 : 0] + input.scale.bytes + input.offset.bytes
  }

  private var labels: [UInt8] {
    short(network.labels.count) + network.labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
  }

  private var operations: [UInt8] { short(network.operations.count) + network.operations.flatMap(\.bytes) }

  private var metadataBytes: [UInt8] {
    short(metadata.count)
      + metadata.flatMap { pair in
        let (key, value) = (Self.cut(pair.key, to: 255), Self.cut(pair.value, to: 65_535))
        return [UInt8(key.count)] + key + short(value.count) + value
      }
  }

  /// The UTF-8 bytes of the longest beginning of whole scalars that has at most `count` of them.
  private static func cut(_ text: String, to count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if bytes.count + encoded.count > count { break }
      bytes += encoded
    }
    return bytes
  }

  private func tensorBytes(at start: Int) -> [UInt8] {
    var (table, data) = (short(tensors.count), [UInt8]())
    let dataStart = start + table.count + InkFormat.tensorEntryByteCount * tensors.count
    for tensor in tensors {
      let offset = (dataStart + data.count + alignment - 1) / alignment * alignment
      data += [UInt8](repeating: 0, count: offset - dataStart - data.count) + tensor.bytes
      table += [tensor.type.rawValue, 0, 0, 0] + word(tensor.rows) + word(tensor.columns) + word(offset)
    }
    return table + data
  }
}

extension Operation {
  /// The operation's entry in the table.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .convolution(let convolution):
      [1] + Self.bytes(convolution.activation, convolution.integers) + short(convolution.filters)
        + convolution.window.bytes
        + [convolution.top, convolution.left, convolution.bottom, convolution.right].map { UInt8($0) }
        + short(convolution.groups) + short(convolution.weights) + short(convolution.bias)
    case .dense(let dense):
      [2] + Self.bytes(dense.activation, dense.integers) + word(dense.outputs) + short(dense.weights)
        + short(dense.bias)
    case .maximumPool(let window): [3] + window.bytes
    case .averagePool(let window): [4] + window.bytes
    case .globalAveragePool: [5]
    case .flatten: [6]
    case .softmax: [7]
    case .activation(let activation): [8] + Self.bytes(activation, nil)
    case .affine(let scale, let shift): [9] + short(scale) + short(shift)
    }
  }

  private static func bytes(_ activation: Activation, _ integers: IntegerScales?) -> [UInt8] {
    let flag: UInt8 = integers == nil ? 0 : 0x80
    let code: [UInt8] =
      switch activation {
      case .none: [flag]
      case .rectifier: [flag | 1]
      case .leaky(let slope): [flag | 2] + slope.bytes
      }
    return code + (integers.map { $0.input.bytes + $0.output.bytes } ?? [])
  }
}

extension Operation.Window {
  fileprivate var bytes: [UInt8] { [height, width, down, across].map { UInt8($0) } }
}

private func short(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
}

private func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
