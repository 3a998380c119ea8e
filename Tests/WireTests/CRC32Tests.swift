import Testing

@testable import Wire

@Suite struct CRC32Tests {
  // The check value of the CRC catalogue ("123456789") and texts whose sums any zlib gives.
  @Test(
    arguments: [
      ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt32)])
  func knownSums(text: String, expected: UInt32) {
    #expect(Array(text.utf8).withUnsafeBytes { CRC32.checksum($0) } == expected)
  }

  @Test func piecesOfAnyLengthGiveTheSumOfTheWhole() {
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let whole = bytes.withUnsafeBytes { CRC32.checksum($0) }
    for cut in 0...bytes.count {
      var checksum = CRC32()
      bytes[..<cut].withUnsafeBytes { checksum.update($0) }
      bytes[cut...].withUnsafeBytes { checksum.update($0) }
      #expect(checksum.value == whole)
    }
  }
}
