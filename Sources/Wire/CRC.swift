/// A checksum of 32 bits by polynomial division: reflected, initial value and final exclusive-or all ones.
///
/// ```swift
/// var checksum = CRC32()
/// checksum.update(bytes)
/// checksum.value
/// ```
public struct CRC<Polynomial: CRCPolynomial>: Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  public init() {}

  /// The checksum of all bytes so far.
  public var value: UInt32 { ~register }

  /// Takes in more bytes. Cost: one table look-up per byte, eight of them independent of each other.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    register = Polynomial.tables.advance(register, over: bytes)
  }

  /// The checksum of `bytes`.
  public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = Self()
    checksum.update(bytes)
    return checksum.value
  }
}

/// What one such checksum differs in from another.
public protocol CRCPolynomial: Sendable {
  static var tables: CRCTables { get }
}

/// The remainders by which a CRC takes in eight bytes at a step.
public struct CRCTables: Sendable {
  /// Eight tables of 256: entry [k][b] is the register after byte b and k zero bytes.
  private let entries: [UInt32]

  /// The tables of a polynomial, given with its lowest power as the highest bit.
  init(reflected polynomial: UInt32) {
    var entries = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ polynomial : crc >> 1 }
      entries[byte] = crc
    }
    for index in 256..<8 * 256 {
      let shorter = entries[index - 256]
      entries[index] = entries[Int(shorter & 0xFF)] ^ shorter >> 8
    }
    self.entries = entries
  }

  /// The register after some bytes.
  func advance(_ register: UInt32, over bytes: UnsafeRawBufferPointer) -> UInt32 {
    let tables = entries
    var crc = register
    var position = 0
    // Eight bytes at a step by eight tables (Kounavis and Berry, "A systematic approach to building high
    // performance software-based CRC generators", 2005).
    while position + 8 <= bytes.count {
      let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)) ^ crc
      let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
      crc = 0
      for lane in 0..<4 {
        let shift = UInt32(8 * lane)
        crc ^= tables[(7 - lane) * 256 + Int(low >> shift & 0xFF)]
        crc ^= tables[(3 - lane) * 256 + Int(high >> shift & 0xFF)]
      }
      position += 8
    }
    while position < bytes.count {
      crc = tables[Int((crc ^ UInt32(bytes[position])) & 0xFF)] ^ crc >> 8
      position += 1
    }
    return crc
  }
}
