import Inference
import Training
import Wire

/// Numbers that lie in the file: an initialiser of the graph.
struct ONNXTensor {
  let name: String
  let element: ONNXFormat.Element
  /// Empty for a single number.
  let shape: [Int]
  /// Little-endian, [shape]; numbers of 4 bits two in a byte, the first in the low half, the last byte filled up.
  let bytes: [UInt8]

  init(_ name: String, floats: [Float], shape: [Int]) {
    (self.name, element, self.shape) = (name, .float, shape)
    bytes = Self.bytes(floats.map(\.bitPattern))
  }

  init(_ name: String, int64s: [Int], shape: [Int]) {
    (self.name, element, self.shape) = (name, .int64, shape)
    bytes = Self.bytes(int64s.map { Int64($0) })
  }

  /// A zero of a type of bytes, as a single number.
  init(_ name: String, zeroOf element: ONNXFormat.Element) {
    (self.name, self.element, shape, bytes) = (name, element, [], [0])
  }

  /// The numbers of a matrix in the type in which they are stored; scales are not among them.
  init(_ name: String, _ matrix: QuantizedMatrix, shape: [Int]) {
    (self.name, self.shape) = (name, shape)
    switch matrix.type {
    case .float32: (element, bytes) = (.float, Self.bytes(matrix.floats.map(\.bitPattern)))
    case .float16: (element, bytes) = (.float16, matrix.bytes)
    case .int8: (element, bytes) = (.int8, matrix.numbers.map { UInt8(bitPattern: $0) })
    case .int4:
      let numbers = matrix.numbers
      element = .int4
      // Unlike in .ink files no row begins a byte of its own.
      bytes = stride(from: 0, to: numbers.count, by: 2).map { index in
        let second = index + 1 < numbers.count ? UInt8(bitPattern: numbers[index + 1]) << 4 : 0
        return UInt8(bitPattern: numbers[index]) & 0x0F | second
      }
    }
  }

  private static func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.map(\.littleEndian).withUnsafeBytes { Array($0) }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.integers(shape, field: ONNXFormat.Tensor.dimensions)
    writer.integer(element.rawValue, field: ONNXFormat.Tensor.elementType)
    writer.string(name, field: ONNXFormat.Tensor.name)
    writer.bytes(bytes, field: ONNXFormat.Tensor.rawData)
  }
}
