import Testing

@testable import Datasets

@Suite struct ContentReaderTests {
  @Test func memoryGrowsWithWhatTheFileDelivers() throws {
    let folder = try TemporaryFolder()
    // 300,000 zeros are 320 bytes of gzip: more than the 64-fold that is taken at first.
    let zeros = IDX(
      elementType: .uint8, dimensions: [300_000], payload: [UInt8](repeating: 0, count: 300_000))
    let content = try ContentReader(path: folder.file("zeros", zeros, gzip: true))
    #expect(content.fileByteCount * 64 < 300_000)
    let read = try content.read(upTo: 1 << 40)
    #expect(read == [0, 0, 8, 1, 0, 4, 0x93, 0xE0] + zeros.payload)
    #expect(read.capacity < 1_000_000)
  }

  @Test func anEmptyFileHasNoContent() throws {
    let folder = try TemporaryFolder()
    let content = try ContentReader(path: folder.file("empty", []))
    #expect(try content.read(upTo: 10).isEmpty)
  }
}
