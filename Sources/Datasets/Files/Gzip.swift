import CZlib

/// What is known of the gzip format (RFC 1952) apart from the streams themselves.
enum Gzip {
  /// The first two bytes of each member.
  static let magic: [UInt8] = [0x1F, 0x8B]

  /// The largest factor by which deflate can shrink: a match of 258 bytes costs at least 2 bits (RFC 1951).
  static let largestRatio = 1032

  /// 32 kB of history, and a gzip header and trailer rather than zlib's.
  static let windowBits: Int32 = 15 + 16

  /// The size of zlib's structure, which it asks for to recognise a library of another version.
  static let streamSize = Int32(MemoryLayout<z_stream>.size)
}
