#if INKLING_KERNELS
  import Kernels
#endif

/// The CRC-32 of zlib over `bytes`.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  #if INKLING_KERNELS
    return inkling_crc32(0, bytes.baseAddress, bytes.count)
  #else
    // Half a byte at a time: 16 table entries are all that a small device needs to keep.
    var register: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      register ^= UInt32(byte)
      register = register >> 4 ^ halfByteEntry(register & 15)
      register = register >> 4 ^ halfByteEntry(register & 15)
    }
    return ~register
  #endif
}

/// The register after four zero bits, by the half byte that leaves it: reflected polynomial 0xEDB88320.
private func halfByteEntry(_ index: UInt32) -> UInt32 {
  var entry = index
  for _ in 0..<4 { entry = entry & 1 == 1 ? entry >> 1 ^ 0xEDB8_8320 : entry >> 1 }
  return entry
}
