import Wire

// Fields as ONNX means them: repeated numbers may be packed or not.
extension ProtobufReader.Value {
  /// The integers of a field, packed or a single one.
  func integers() throws(ProtobufError) -> [Int] {
    switch self {
    case .varint(let value): [Int(truncatingIfNeeded: value)]
    case .bytes(let packed): try ProtobufReader.varints(packed).map { Int(truncatingIfNeeded: $0) }
    case .fixed32, .fixed64: []
    }
  }

  /// The floats of a field, packed or a single one.
  func floats() -> [Float] {
    switch self {
    case .fixed32(let value): [Float(bitPattern: value)]
    case .bytes(let packed): packed.numbers(UInt32.self).map { Float(bitPattern: $0) }
    case .varint, .fixed64: []
    }
  }

  /// The doubles of a field, packed or a single one.
  func doubles() -> [Double] {
    switch self {
    case .fixed64(let value): [Double(bitPattern: value)]
    case .bytes(let packed): packed.numbers(UInt64.self).map { Double(bitPattern: $0) }
    case .varint, .fixed32: []
    }
  }
}

extension ProtobufReader {
  /// The last message or text in a field of this number.
  static func message(
    _ number: Int, in message: ArraySlice<UInt8>
  ) throws(ProtobufError) -> ArraySlice<UInt8>? {
    var (found, reader) = (ArraySlice<UInt8>?.none, ProtobufReader(message))
    while let field = try reader.next() {
      if field.number == number, case .bytes(let value) = field.value { found = value }
    }
    return found
  }
}

extension ArraySlice<UInt8> {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Little-endian numbers that lie side by side; a rest that is none is left out.
  func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Number] {
    let size = MemoryLayout<Number>.size
    return withUnsafeBytes { bytes in
      (0..<count / size).map {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * size, as: Number.self))
      }
    }
  }
}
