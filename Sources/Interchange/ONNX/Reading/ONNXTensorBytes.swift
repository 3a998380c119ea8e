import Inference
import PlainText
import Wire

/// A tensor as it lies in an ONNX file.
struct ONNXTensorBytes {
  var name = ""
  var shape: [Int] = []
  /// The number of the elements' type, and what it stands for.
  var elementNumber = 0
  var element: ONNXElement? { ONNXElement(rawValue: elementNumber) }
  private var raw: ArraySlice<UInt8>?
  /// All of it: numbers that are not raw are looked for once they are asked for.
  private let message: ArraySlice<UInt8>
  private var isElsewhere = false

  init(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    self.message = message
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (ONNXFormat.Tensor.dimensions, _) where shape.count <= ONNXConstant.mostAxes:
        shape += try field.value.integers()
      case (ONNXFormat.Tensor.elementType, .varint(let value)):
        elementNumber = Int(truncatingIfNeeded: value)
      case (ONNXFormat.Tensor.name, .bytes(let value)): name = value.text
      case (ONNXFormat.Tensor.rawData, .bytes(let value)): raw = value
      case (ONNXFormat.Tensor.location, .varint(let value)): isElsewhere = value == 1
      default: continue
      }
    }
  }

  /// The tensor's numbers. Throws a text that completes "found" where they cannot be had.
  func constant() throws(ONNXMisfit) -> ONNXConstant {
    guard !isElsewhere else {
      throw ONNXMisfit(
        expected: "weights inside of the file", found: "\(name.quoted) in another file",
        remedy: "save the model as one file, without external data")
    }
    guard let element, element != .string else {
      throw ONNXMisfit(expected: "numbers", found: "\(name.quoted) with elements of type \(elementNumber)")
    }
    guard let count = ONNXConstant.count(shape) else {
      throw ONNXMisfit(
        expected: "a shape of at most \(ONNXConstant.mostAxes) axes and 2^30 numbers",
        found: "\(name.quoted) of \(shape.shownAsShape)")
    }
    let values: [Double]
    do throws(ProtobufError) {
      values =
        if let raw { Self.values(raw, element, count: count) } else { try listed(element, count: count) }
    } catch {
      throw ONNXMisfit(expected: "numbers", found: "\(name.quoted) cut off")
    }
    guard values.count == count else {
      throw ONNXMisfit(
        expected: "\(count.groupedDigits) numbers for \(name.quoted) of \(shape)",
        found: raw.map { "\($0.count.groupedDigits) bytes" } ?? values.count.groupedDigits,
        remedy: "export or download the file again")
    }
    return ONNXConstant(shape: shape, values: values, element: element)
  }

  /// None where the bytes are not those of `count` numbers.
  private static func values(_ raw: ArraySlice<UInt8>, _ element: ONNXElement, count: Int) -> [Double] {
    func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Double] {
      raw.numbers(type).map { Double($0) }
    }
    guard raw.count == element.byteCount.map({ count * $0 }) ?? (count + 1) / 2 else { return [] }
    return switch element {
    case .float: raw.numbers(UInt32.self).map { Double(Float(bitPattern: $0)) }
    case .double: raw.numbers(UInt64.self).map { Double(bitPattern: $0) }
    case .float16: raw.numbers(UInt16.self).map { Double(Float(half: $0)) }
    case .bfloat16: raw.numbers(UInt16.self).map { Double(Float(bitPattern: UInt32($0) << 16)) }
    case .uint8, .bool: numbers(UInt8.self)
    case .int8: numbers(Int8.self)
    case .uint16: numbers(UInt16.self)
    case .int16: numbers(Int16.self)
    case .int32: numbers(Int32.self)
    case .uint32: numbers(UInt32.self)
    case .int64: numbers(Int64.self)
    case .uint64: numbers(UInt64.self)
    case .int4, .uint4: halves(raw, element, count: count)
    case .string: []
    }
  }

  /// Numbers of four bits, two in a byte, the first in the low half; the last half byte of an odd number is empty.
  private static func halves(
    _ bytes: some RandomAccessCollection<UInt8>, _ element: ONNXElement, count: Int
  ) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      for half in [byte & 0x0F, byte >> 4] where values.count < count {
        values.append(element == .int4 ? Double(Int8(bitPattern: half << 4) >> 4) : Double(half))
      }
    }
    return values
  }

  /// Numbers in a field of their own type; what is narrower than 32 bits lies in the field of those.
  private func listed(_ element: ONNXElement, count: Int) throws(ProtobufError) -> [Double] {
    var values: [Double] = []
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, element) {
      case (ONNXFormat.Tensor.floats, .float): values += field.value.floats().map { Double($0) }
      case (ONNXFormat.Tensor.doubles, .double): values += field.value.doubles()
      case (ONNXFormat.Tensor.int64s, .int64): values += try field.value.integers().map { Double($0) }
      case (ONNXFormat.Tensor.uint64s, .uint32), (ONNXFormat.Tensor.uint64s, .uint64):
        values += try field.value.integers().map { Double(UInt(bitPattern: $0)) }
      case (ONNXFormat.Tensor.int32s, .float16):
        values += try field.value.integers().map { Double(Float(half: UInt16(truncatingIfNeeded: $0))) }
      case (ONNXFormat.Tensor.int32s, .bfloat16):
        values += try field.value.integers()
          .map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0) << 16)) }
      case (ONNXFormat.Tensor.int32s, .int4), (ONNXFormat.Tensor.int32s, .uint4):
        let bytes = try field.value.integers().map { UInt8(truncatingIfNeeded: $0) }
        values += Self.halves(bytes, element, count: count - values.count)
      case (ONNXFormat.Tensor.int32s, .int32), (ONNXFormat.Tensor.int32s, .int16),
        (ONNXFormat.Tensor.int32s, .int8), (ONNXFormat.Tensor.int32s, .uint8),
        (ONNXFormat.Tensor.int32s, .uint16), (ONNXFormat.Tensor.int32s, .bool):
        values += try field.value.integers().map { Double($0) }
      default: continue
      }
    }
    return values
  }
}

/// Why a node or tensor of an ONNX file cannot be taken.
struct ONNXMisfit: Error {
  var expected: String
  var found: String
  var remedy: String?
}

extension [Int] {
  /// For an error: the first extents, where a hostile file has many.
  var shownAsShape: String { "\(prefix(8))\(count > 8 ? " and more" : "")" }
}
