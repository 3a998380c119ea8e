// What only a reader meets: an ONNX file may hold its numbers in more ways than one.
extension ONNXFormat.Node { static let domain = 7 }
extension ONNXFormat.OperatorSet { static let domain = 1 }

extension ONNXFormat.Attribute {
  static let string = 4, tensor = 5, floats = 7
}

extension ONNXFormat.Tensor {
  static let floats = 4, int32s = 5, int64s = 7, doubles = 10, uint64s = 11, location = 14
}

/// The type of a tensor's elements, by its number in the file.
enum ONNXElement: Int {
  case float = 1, uint8, int8, uint16, int16, int32, int64, string, bool, float16, double, uint32, uint64
  case bfloat16 = 16, uint4 = 21, int4 = 22

  /// How many bytes an element takes as raw data; nil for what has no such form, or shares its bytes.
  var byteCount: Int? {
    switch self {
    case .uint8, .int8, .bool: 1
    case .uint16, .int16, .float16, .bfloat16: 2
    case .float, .int32, .uint32: 4
    case .double, .int64, .uint64: 8
    case .string, .uint4, .int4: nil
    }
  }

  /// Whether elements are whole numbers.
  var isWhole: Bool {
    switch self {
    case .uint8, .int8, .uint16, .int16, .int32, .int64, .uint32, .uint64, .uint4, .int4: true
    case .float, .float16, .double, .bfloat16, .string, .bool: false
    }
  }

  /// The least and the largest number of the types that values are rounded to; nil for others.
  var bounds: ClosedRange<Double>? {
    switch self {
    case .uint8: 0...255
    case .int8: -128...127
    case .uint16: 0...65_535
    case .int16: -32_768...32_767
    case .uint4: 0...15
    case .int4: -8...7
    default: nil
    }
  }
}
