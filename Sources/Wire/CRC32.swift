/// The CRC-32 of zlib, PNG and IEEE 802.3: reflected polynomial 0xEDB88320, initial value and final
/// exclusive-or all ones.
///
/// ```swift
/// var checksum = CRC32()
/// checksum.update(bytes)
/// checksum.value
/// ```
public struct CRC32: Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  public init() {}

  /// The checksum of all bytes so far.
  public var value: UInt32 { ~register }

  /// Takes in more bytes. Cost: one table look-up per byte, eight of them independent of each other.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let tables = CRC32.tables
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
    register = crc
  }

  /// The checksum of `bytes`.
  public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32()
    checksum.update(bytes)
    return checksum.value
  }

  /// Eight tables of 256: entry [k][b] is the register after byte b and k zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<8 * 256 {
      let shorter = tables[index - 256]
      tables[index] = tables[Int(shorter & 0xFF)] ^ shorter >> 8
    }
    return tables
  }()
}
