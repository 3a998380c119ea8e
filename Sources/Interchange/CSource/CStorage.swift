import Inference
import Training

/// How the weights of a matrix stand in C: the bytes of the `.ink` file, as elements of an array.
struct CStorage {
  let type: String
  let elements: [String]
  let elementByteCount: Int

  init(_ matrix: QuantizedMatrix) {
    let bytes = matrix.bytes
    switch matrix.type {
    case .float32: elements = matrix.floats.map(CText.number)
    case .float16:
      elements = stride(from: 0, to: bytes.count, by: 2).map {
        let text = String(UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8, radix: 16)
        return "0x" + String(repeating: "0", count: 4 - text.utf8.count) + text
      }
    case .int8: elements = matrix.numbers.map { String($0) }
    // The scales stand first in the file; here they are an array of their own.
    case .int4: elements = bytes[(4 * matrix.rows)...].map { String($0) }
    }
    type = matrix.type.cType
    elementByteCount = [.float32: 4, .float16: 2][matrix.type] ?? 1
  }
}

extension TensorType {
  /// The type of the elements of an array that holds the weights.
  var cType: String {
    switch self {
    case .float32: "float"
    case .float16: "uint16_t"
    case .int8: "int8_t"
    case .int4: "uint8_t"
    }
  }

  /// What a function for such weights has in its name.
  var cName: String {
    switch self {
    case .float32: "float32"
    case .float16: "float16"
    case .int8: "int8"
    case .int4: "int4"
    }
  }

  /// The C expression for the number in a column of `row`, which points to the first.
  func cElement(_ column: String, for values: CFunction.Values) -> String {
    let conversion = values == .floats ? "(float)" : ""
    return switch self {
    case .float32: "row[\(column)]"
    case .float16: "from_half(row[\(column)])"
    case .int8: "\(conversion)row[\(column)]"
    case .int4: "\(conversion)nibble(row, \(column))"
    }
  }

  /// The C expression for the elements that a row of `columns` numbers takes.
  var cRowLength: String { self == .int4 ? "(columns + 1) / 2" : "columns" }
}
