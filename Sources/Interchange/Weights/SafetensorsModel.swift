import Training

/// A trained model as a safetensors file, as PyTorch and others read it.
///
/// ```swift
/// let file = try SafetensorsModel(checkpoint)
/// try Data(file.bytes).write(to: URL(fileURLWithPath: "digits.safetensors"))
/// ```
///
/// Arrays are called as in the state of an `nn.Sequential` of the same layers, `0.weight` and so on. The
/// metadata holds the Python expression of that network (`inkling.torch`), Inkling's layers, the images that
/// it takes, what is done to their pixels, the class names, and whatever notes there are. The same model
/// gives the same bytes.
public struct SafetensorsModel: Sendable {
  /// How weights are stored; biases and what batch normalisation has are floats in any case.
  public enum Storage: Sendable {
    case float32, float16
  }

  /// The whole file.
  public let bytes: [UInt8]

  /// Throws an `InterchangeError` where a number is not finite, or too large for half precision.
  ///
  /// - Parameters:
  ///   - checkpoint: the model; its moving average where it has one
  ///   - storage: how weights are stored
  ///   - notes: what else the metadata says
  public init(
    _ checkpoint: Checkpoint, storage: Storage = .float32, notes: ModelNotes = ModelNotes()
  ) throws(InterchangeError) {
    let model = checkpoint.deployed
    let sequence = TorchSequential(model.architecture)
    var arrays: [StoredArray] = []
    for (number, module) in sequence.modules.enumerated() {
      guard let layer = module.layer else { continue }
      let slots = model.table.slots.filter { $0.layer == layer }
      for slot in slots {
        guard let part = WeightModule.part(of: slot) else { continue }
        try Self.requireStorable(model, slot, storage)
        let isHalf = storage == .float16 && slot.name == "weight"
        arrays.append(
          StoredArray(
            name: "\(number).\(part.rawValue)", type: isHalf ? "F16" : "F32", shape: slot.shape,
            bytes: Self.bytes(model.values[slot.range], isHalf: isHalf)))
      }
      // PyTorch counts the batches that went into the running statistics, and misses the counter where it is
      // not there.
      if case .batchNormalization = model.architecture.layers[layer] {
        arrays.append(
          StoredArray(
            name: "\(number).num_batches_tracked", type: "I64", shape: [],
            bytes: [UInt8](repeating: 0, count: 8)))
      }
    }
    // The widest numbers first, so that all lie at multiples of their size.
    let ordered = ["I64", "F32", "F16"].flatMap { type in arrays.filter { $0.type == type } }
    bytes = Self.file(ordered, metadata: Self.metadata(checkpoint, sequence, notes))
  }

  private struct StoredArray {
    let name: String
    let type: String
    let shape: [Int]
    let bytes: [UInt8]
  }

  private static func requireStorable(
    _ model: Model, _ slot: ParameterTable.Slot, _ storage: Storage
  ) throws(InterchangeError) {
    let values = model.values[slot.range]
    let place = "layer \(slot.layer + 1) (\(model.architecture.layers[slot.layer]))"
    if let bad = values.first(where: { !$0.isFinite }) {
      throw InterchangeError(
        "\(place): expected finite numbers in its \(slot.name), found \(bad); train it again")
    }
    // 65,520 and above would round to what half precision has not.
    if storage == .float16, slot.name == "weight", let bad = values.first(where: { $0.magnitude >= 65_520 }) {
      throw InterchangeError(
        "\(place): expected weights of at most 65,504 for half precision, found \(bad); store them as floats")
    }
  }

  private static func bytes(_ values: ArraySlice<Float>, isHalf: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * (isHalf ? 2 : 4))
    for value in values {
      if isHalf {
        withUnsafeBytes(of: value.halfBits.littleEndian) { bytes.append(contentsOf: $0) }
      } else {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  private static func metadata(
    _ checkpoint: Checkpoint, _ sequence: TorchSequential, _ notes: ModelNotes
  ) -> [String: String] {
    let architecture = checkpoint.model.architecture
    var metadata = Dictionary(notes.facts.map { ($0.name, $0.value) }) { first, _ in first }
    for (name, value) in [
      ("author", notes.author), ("license", notes.license), ("description", notes.summary),
    ]
    where !value.isEmpty {
      metadata[name] = value
    }
    typealias Name = WeightFile.MetadataName
    metadata[Name.layers] = architecture.text
    metadata[Name.input] = architecture.input.extents.map(String.init).joined(separator: "x")
    metadata[Name.classes] = "[" + checkpoint.classes.names.map(json).joined(separator: ", ") + "]"
    metadata[Name.scaling] = "pixels from 0 to 255 divided by 255; softmax of the outputs gives probabilities"
    metadata[Name.torch] = sequence.expression
    // What other programs look for to know whose layout the arrays have.
    metadata["format"] = "pt"
    return metadata
  }

  private static func file(_ arrays: [StoredArray], metadata: [String: String]) -> [UInt8] {
    let notes = metadata.sorted { $0.key < $1.key }.map { "\(json($0.key)):\(json($0.value))" }
    var members = ["\(json(SafetensorsHeader.metadataName)):{\(notes.joined(separator: ","))}"]
    var offset = 0
    for array in arrays {
      let shape = array.shape.map(String.init).joined(separator: ",")
      let end = offset + array.bytes.count
      members.append(
        "\(json(array.name)):{\"dtype\":\"\(array.type)\",\"shape\":[\(shape)],\"data_offsets\":[\(offset),\(end)]}"
      )
      offset = end
    }
    var header = Array("{\(members.joined(separator: ","))}".utf8)
    // The numbers begin at a multiple of 8.
    header += [UInt8](repeating: UInt8(ascii: " "), count: (8 - header.count % 8) % 8)
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header
    bytes.reserveCapacity(bytes.count + offset)
    for array in arrays { bytes += array.bytes }
    return bytes
  }

  /// A string as JSON has it.
  private static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case let control where control.value < 0x20:
        let digits = String(control.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
