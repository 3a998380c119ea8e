import Wire

/// A tensor as it lies in an ONNX file.
struct ONNXTensorBytes {
  var name = ""
  var shape: [Int] = []
  /// The number of the elements' type, and what it stands for.
  var elementNumber = 0
  var element: ONNXElement? { ONNXElement(rawValue: elementNumber) }
  private var raw: ArraySlice<UInt8>?
  /// The fields with numbers that are not raw.
  private var fields: [ProtobufReader.Field] = []
  private var isElsewhere = false

  init(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (ONNXFormat.Tensor.dimensions, _) where shape.count < 16: shape += try field.value.integers()
      case (ONNXFormat.Tensor.elementType, .varint(let value)):
        elementNumber = Int(truncatingIfNeeded: value)
      case (ONNXFormat.Tensor.name, .bytes(let value)): name = value.text
      case (ONNXFormat.Tensor.rawData, .bytes(let value)): raw = value
      case (ONNXFormat.Tensor.location, .varint(let value)): isElsewhere = value == 1
      case (ONNXFormat.Tensor.floats, _), (ONNXFormat.Tensor.int32s, _), (ONNXFormat.Tensor.int64s, _),
        (ONNXFormat.Tensor.doubles, _):
        fields.append(field)
      default: continue
      }
    }
  }

  /// The tensor's numbers. Throws a text that completes "found" where they cannot be had.
  func constant() throws(ONNXMisfit) -> ONNXConstant {
    guard !isElsewhere else {
      throw ONNXMisfit(
        expected: "weights inside of the file", found: "\"\(name)\" in another file",
        remedy: "save the model as one file, without external data")
    }
    guard let element, element != .string else {
      throw ONNXMisfit(expected: "numbers", found: "\"\(name)\" with elements of type \(elementNumber)")
    }
    guard let count = ONNXConstant.count(shape) else {
      throw ONNXMisfit(expected: "a shape", found: "\"\(name)\" of \(shape)")
    }
    let values: [Double]
    do throws(ProtobufError) {
      values = if let raw { Self.values(raw, element, count: count) } else { try listed(element) }
    } catch {
      throw ONNXMisfit(expected: "numbers", found: "\"\(name)\" cut off")
    }
    guard values.count == count else {
      throw ONNXMisfit(
        expected: "\(count.groupedDigits) numbers for \"\(name)\" of \(shape)",
        found: values.count.groupedDigits)
    }
    return ONNXConstant(shape: shape, values: values)
  }

  private static func values(_ raw: ArraySlice<UInt8>, _ element: ONNXElement, count: Int) -> [Double] {
    func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Double] {
      raw.numbers(type).map { Double($0) }
    }
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
    // Two in a byte, the first in the low half; the last half byte of an odd number is empty.
    case .int4:
      Array(
        raw.flatMap { [Double(Int8(bitPattern: $0 << 4) >> 4), Double(Int8(bitPattern: $0) >> 4)] }
          .prefix(count))
    case .uint4: Array(raw.flatMap { [Double($0 & 0x0F), Double($0 >> 4)] }.prefix(count))
    case .string: []
    }
  }

  /// Numbers in a field of their own type; what is narrower than 32 bits lies in the field of those.
  private func listed(_ element: ONNXElement) throws(ProtobufError) -> [Double] {
    var values: [Double] = []
    for field in fields {
      switch (field.number, element) {
      case (ONNXFormat.Tensor.floats, .float): values += field.value.floats().map { Double($0) }
      case (ONNXFormat.Tensor.doubles, .double): values += field.value.doubles()
      case (ONNXFormat.Tensor.int64s, .int64): values += try field.value.integers().map { Double($0) }
      case (ONNXFormat.Tensor.int32s, .float16):
        values += try field.value.integers().map { Double(Float(half: UInt16(truncatingIfNeeded: $0))) }
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
