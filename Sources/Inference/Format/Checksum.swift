#if INKLING_KERNELS
  import Kernels
#endif

/// The CRC-32 of zlib over `bytes`.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  #if INKLING_KERNELS
    return inkling_crc32(0, bytes.baseAddress, bytes.count)
  #else
    // Bit by bit, without a table: a file is checked once, and a small device has no room. The polynomial is reflected.
    var register: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register >> 1 ^ (0xEDB8_8320 & (0 &- register & 1)) }
    }
    return ~register
  #endif
}
