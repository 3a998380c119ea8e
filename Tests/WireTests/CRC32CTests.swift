import Testing

@testable import Wire

@Suite struct CRC32CTests {
  // The check value of the CRC catalogue ("123456789"), and the sums of RFC 3720, B.4.
  @Test(
    arguments: [
      (Array("123456789".utf8), 0xE306_9283),
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      (Array(0..<32), 0x46DD_794E),
      ([], 0),
    ] as [([UInt8], UInt32)])
  func knownSums(bytes: [UInt8], expected: UInt32) {
    #expect(bytes.withUnsafeBytes { CRC32C.checksum($0) } == expected)
  }
}
