import Inference

/// How a file stores the numbers of one array.
enum NumberFormat: Hashable, Sendable {
  case float16, bfloat16, float32, float64
  /// Whole numbers or booleans of so many bytes: counters, never weights.
  case whole(byteCount: Int)

  /// The size of one number in bytes.
  var byteCount: Int {
    switch self {
    case .float16, .bfloat16: 2
    case .float32: 4
    case .float64: 8
    case .whole(let count): count
    }
  }

  var isFloat: Bool {
    if case .whole = self { false } else { true }
  }

  /// The numbers in `bytes`, little-endian; doubles are rounded to the nearest float.
  ///
  /// - Precondition: floats, and whole numbers of them.
  func decoded(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    let count = bytes.count / byteCount
    return [Float](unsafeUninitializedCapacity: count) { floats, initialized in
      for index in 0..<count {
        switch self {
        case .float16:
          let bits = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
          floats[index] = Float(half: UInt16(littleEndian: bits))
        case .bfloat16:
          let bits = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
          floats[index] = Float(bitPattern: UInt32(UInt16(littleEndian: bits)) << 16)
        case .float32:
          let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
          floats[index] = Float(bitPattern: UInt32(littleEndian: bits))
        case .float64:
          let bits = bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
          floats[index] = Float(Double(bitPattern: UInt64(littleEndian: bits)))
        case .whole: preconditionFailure("whole numbers are no weights")
        }
      }
      initialized = count
    }
  }

  /// The bytes that an array of a shape takes, or nil where that is no number of bytes that a file can have.
  func byteCount(of shape: [Int]) -> Int? {
    var count = byteCount
    // A side of 0 must not hide an overflow: what is left of the shape would not be checked.
    for side in shape {
      guard side >= 0 else { return nil }
      let (product, overflows) = count.multipliedReportingOverflow(by: max(side, 1))
      if overflows { return nil }
      count = product
    }
    return shape.contains(0) ? 0 : count
  }
}
