/// A tensor of the file, rows × columns, where it lies.
public struct WeightTensor {
  public let type: TensorType
  public let rows: Int
  public let columns: Int
  /// Scales first, if the type has them, then the values. It need not be aligned.
  let data: UnsafeRawPointer

  // A tensor that was checked takes at most 2^31 - 1 bytes: no place in it overflows.

  #if INKLING_KERNELS
    /// The values, behind the scales if there are any.
    var values: UnsafeRawPointer { data + (type == .int8 || type == .int4 ? 4 * rows : 0) }
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
    let byte = data.load(fromByteOffset: pairOffset(row, column), as: UInt8.self)
    // The upper half's sign comes from shifting it down as a signed byte.
    let half = column & 1 == 0 ? byte << 4 : byte
    return Int32(Int8(bitPattern: half) >> 4)
  }

  /// Where the two numbers of 4 bits lie of which one is at (row, column).
  @inline(__always) private func pairOffset(_ row: Int, _ column: Int) -> Int {
    4 &* rows &+ row &* ((columns &+ 1) >> 1) &+ column >> 1
  }

  /// As `singleNumber`, for whole numbers.
  @inline(never) func singleInteger(_ row: Int, _ column: Int) -> Int32 { integer(row, column) }

  /// Eight floats from (row, column) on.
  @inline(__always) func eightFloats(_ row: Int, _ column: Int) -> SIMD8<Float> {
    data.loadUnaligned(fromByteOffset: 4 &* (row &* columns &+ column), as: SIMD8<Float>.self)
  }

  /// Eight values from (row, column) on, without the row's scale; the column is a multiple of 8.
  @inline(__always) func eightNumbers(_ row: Int, _ column: Int) -> SIMD8<Float> {
    switch type {
    case .float32: return eightFloats(row, column)
    case .float16:
      let halves = data.loadUnaligned(fromByteOffset: 2 &* (row &* columns &+ column), as: SIMD8<Int16>.self)
      return SIMD8(halves: halves)
    case .int8, .int4: return SIMD8(small: eightIntegers(row, column))
    }
  }

  /// Eight whole numbers from (row, column) on; the column is a multiple of 8. Only for the types that have them.
  @inline(__always) func eightIntegers(_ row: Int, _ column: Int) -> SIMD8<Int8> {
    if type == .int8 {
      return data.loadUnaligned(fromByteOffset: 4 &* rows &+ row &* columns &+ column, as: SIMD8<Int8>.self)
    }
    // Half bytes are drawn apart until each has a byte. Then what is above 7 stands for a number below 0.
    var bits = UInt64(data.loadUnaligned(fromByteOffset: pairOffset(row, column), as: UInt32.self))
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    return (unsafeBitCast(bits, to: SIMD8<Int8>.self) ^ 8) &- 8
  }

  @inline(__always) func float(at index: Int) -> Float {
    Float(
      bitPattern: UInt32(littleEndian: data.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)))
  }
}

extension SIMD8<Float> {
  /// The values of whole numbers, exactly: they are the low bits of a float between 2^23 and 2^24.
  @inline(__always) init(small numbers: SIMD8<Int8>) {
    let bits = SIMD8<Int32>(truncatingIfNeeded: numbers) &+ 0x4B40_0000
    self = unsafeBitCast(bits, to: SIMD8<Float>.self) - 12_582_912
  }

  /// The values of half-precision numbers by their bits, as `Float(half:)` has each.
  @inline(__always) init(halves bits: SIMD8<Int16>) {
    // Signed, since the compiler widens signed numbers by an instruction.
    let wide = SIMD8<Int32>(truncatingIfNeeded: bits)
    let magnitude = wide & 0x7FFF
    let value = unsafeBitCast(magnitude &<< 13, to: SIMD8<Float>.self) * 0x1p112
    // All bits set for infinity and NaN, whose exponent is the highest in both.
    let special = 0 &- (magnitude &+ 0x400) &>> 15
    let number = unsafeBitCast(value, to: SIMD8<Int32>.self) | special & 0x7F80_0000
    self = unsafeBitCast((wide & 0x8000) &<< 16 | number, to: SIMD8<Float>.self)
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
  /// An entry of a table that was checked.
  @inline(never) init(_ bytes: UnsafeRawBufferPointer, table: Range<Int>, _ index: Int) {
    let entry = table.lowerBound &+ 2 &+ index &* InkFormat.tensorEntryByteCount
    type = TensorType(rawValue: bytes[entry]) ?? .float32
    rows = Int(truncatingIfNeeded: bytes.word(at: entry &+ 4))
    columns = Int(truncatingIfNeeded: bytes.word(at: entry &+ 8))
    // Where there is a table there are bytes.
    guard let start = bytes.baseAddress else { preconditionFailure("a table without bytes") }
    data = start + Int(truncatingIfNeeded: bytes.word(at: entry &+ 12))
  }
}
