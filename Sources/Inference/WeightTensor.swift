/// A tensor of the file, rows × columns, where it lies.
public struct WeightTensor {
  public let type: TensorType
  public let rows: Int
  public let columns: Int
  /// Scales first, if the type has them, then the values. It need not be aligned.
  let data: UnsafeRawBufferPointer

  // A tensor that was checked takes at most 2^31 - 1 bytes: no place in it overflows.

  #if INKLING_KERNELS
    /// The values, behind the scales if there are any.
    var values: UnsafeRawPointer {
      let start = type == .int8 || type == .int4 ? 4 * rows : 0
      // A tensor that was checked is not empty.
      guard let base = data.baseAddress else { preconditionFailure("a tensor without data") }
      return base + start
    }
  #endif

  /// The factor of a row's whole numbers; 1 for floats.
  @inline(__always) func scale(of row: Int) -> Float {
    switch type {
    case .float32, .float16: 1
    case .int8, .int4: float(at: row)
    }
  }

  /// The value at (row, column), without the row's scale.
  @inline(__always) func number(_ row: Int, _ column: Int) -> Float {
    switch type {
    case .float32: return float(at: row &* columns &+ column)
    case .float16: return Float(half: half(row, column))
    case .int8, .int4: return Float(Int(integer(row, column)))
    }
  }

  /// The same as a call of its own, for places outside of the innermost loop: inlined, the code would be there often.
  @inline(never) func singleNumber(_ row: Int, _ column: Int) -> Float { number(row, column) }

  /// The bits at (row, column). Only for half floats.
  @inline(__always) func half(_ row: Int, _ column: Int) -> UInt16 {
    UInt16(littleEndian: data.loadUnaligned(fromByteOffset: 2 &* (row &* columns &+ column), as: UInt16.self))
  }

  /// The whole number at (row, column). Only for the types that have them.
  @inline(__always) func integer(_ row: Int, _ column: Int) -> Int32 {
    if type == .int8 {
      return Int32(data.load(fromByteOffset: 4 &* rows &+ row &* columns &+ column, as: Int8.self))
    }
    let at = 4 &* rows &+ row &* ((columns &+ 1) >> 1) &+ column >> 1
    let byte = data.load(fromByteOffset: at, as: UInt8.self)
    // The upper half's sign comes from shifting it down as a signed byte.
    let half = column & 1 == 0 ? byte << 4 : byte
    return Int32(Int8(bitPattern: half) >> 4)
  }

  /// As `singleNumber`, for whole numbers.
  @inline(never) func singleInteger(_ row: Int, _ column: Int) -> Int32 { integer(row, column) }

  /// Eight whole numbers of 8 bits, from (row, column) on.
  @inline(__always) func eightIntegers(_ row: Int, _ column: Int) -> SIMD8<Int8> {
    data.loadUnaligned(fromByteOffset: 4 &* rows &+ row &* columns &+ column, as: SIMD8<Int8>.self)
  }

  @inline(__always) func float(at index: Int) -> Float {
    Float(
      bitPattern: UInt32(littleEndian: data.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)))
  }
}

extension Float {
  /// The value of an IEEE 754 half-precision number by its bits.
  package init(half bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7FFF)
    // Exponent and fraction at their places in a float; times 2^112, since halves count exponents from another zero.
    let value = Float(bitPattern: magnitude << 13) * 0x1p112
    // Infinity and NaN have the highest exponent in both.
    let number = magnitude < 0x7C00 ? value.bitPattern : 0x7F80_0000 | magnitude << 13
    self.init(bitPattern: sign | number)
  }
}

extension WeightTensor {
  /// The tensor of a table's entry that was checked.
  init(_ bytes: UnsafeRawBufferPointer, entryAt offset: Int) {
    type = TensorType(rawValue: bytes[offset]) ?? .float32
    rows = Int(bytes.word(at: offset + 4))
    columns = Int(bytes.word(at: offset + 8))
    data = UnsafeRawBufferPointer(rebasing: bytes[Int(bytes.word(at: offset + 12))...])
  }
}
