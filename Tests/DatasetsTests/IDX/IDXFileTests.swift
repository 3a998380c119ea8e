import Testing

@testable import Datasets

@Suite struct IDXFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let arrays = [
    IDX.labels([5, 0, 4]), IDX.labels([]), IDX.images(2), IDX(.int8, [1], [Int8(-1)]),
    IDX(.int16, [2, 2], [Int16](0..<4)), IDX(.int32, [2, 3], [Int32](0..<6)),
    IDX(.float32, [1, 1, 1, 2], [UInt32(1), 2]), IDX(.float64, [2], [UInt64(1), 2]),
    IDX(elementType: .uint8, dimensions: [Int](repeating: 1, count: 255), payload: [7]),
  ]

  @Test(arguments: arrays, [false, true]) func whatIsWrittenIsRead(array: IDX, gzip: Bool) throws {
    #expect(try IDX.read(folder.file("a", array, gzip: gzip)) == array)
    #expect(try folder.names == ["a"])
  }

  @Test func theBytesAreThoseOfTheFormat() throws {
    let path = try folder.file("a", IDX(.int16, [2, 1], [Int16(1), -2]))
    #expect(try bytes(atPath: path) == [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0xFF, 0xFE])
  }

  @Test func gzipBytesCarryNoTimeAndNoSystem() throws {
    let path = try folder.file("a", .labels([1]), gzip: true)
    #expect(try bytes(atPath: path).prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
  }

  /// Content, the byte that the error names, and what it says it found.
  static let broken: [([UInt8], Int, String)] = [
    ([], 0, "an empty file"),
    ([0], 0, "a file of 1 bytes"),
    ([0, 0, 8], 0, "a file of 3 bytes"),
    (Array("404".utf8), 0, "a server's message: \"404\""),
    ([0, 0, 8, 0], 3, "zero dimensions"),
    ([0, 0, 10, 1, 0, 0, 0, 0], 2, "unknown element type 0x0A"),
    ([0, 1, 8, 1, 0, 0, 0, 0], 0, "the bytes 0x00 0x01 0x08 0x01"),
    ([0, 0, 8, 1, 0, 0], 6, "the end after 6 bytes"),
    ([1, 8, 0, 0, 1, 0, 0, 0, 5], 0, "a byte-swapped (little-endian) header: 0x01 0x08 0x00 0x00"),
    ([0, 0, 8, 1, 2, 0, 0, 0, 5, 6], 4, "10 bytes"),
    ([0, 0, 8, 1, 0, 0, 0, 2, 5], 9, "9 bytes"),
    ([0, 0, 8, 1, 0, 0, 0, 2, 5, 6, 7], 10, "11 bytes"),
    ([0, 0, 8, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 3, 16, 1], 13, "13 bytes"),
    ([0, 0, 14, 3] + [UInt8](repeating: 0xFF, count: 12), 4, "16 bytes"),
    ([0, 0, 14, 255] + [UInt8](repeating: 0xFF, count: 1020), 4, "1,024 bytes"),
  ]

  @Test(arguments: broken) func brokenContent(content: [UInt8], offset: Int, found: String) throws {
    let error = try #require(readingError(try folder.file("broken", content)))
    #expect(error.kind == .malformed)
    #expect(error.byteOffset == offset)
    #expect(error.found == found)
    #expect(error.remedy != nil)
    #expect(!error.description.contains("\n"))
  }

  @Test(arguments: broken) func brokenContentInGzip(content: [UInt8], offset: Int, found: String) throws {
    let file = try AtomicFile(path: "\(folder.path)/broken")
    let deflater = try Deflater(file)
    try deflater.write(content)
    try deflater.finish()
    try file.commit()
    let error = try #require(readingError(file.path))
    #expect(error.kind == .malformed)
    #expect(error.byteOffset.map { $0 <= content.count } == true)
  }

  @Test func aClaimOfFourBillionImagesSaysWhatItWouldTake() throws {
    let content: [UInt8] = [0, 0, 8, 3, 0xEE, 0x6B, 0x28, 0, 0, 0, 0, 28, 0, 0, 0, 28, 1]
    let error = try #require(readingError(try folder.file("claim", content)))
    #expect(error.expected == "3,136,000,000,016 bytes for 4,000,000,000×28×28 elements (unsigned byte)")
  }

  @Test func littleEndianSizesAreRecognised() throws {
    let error = readingError(try folder.file("swapped", [0, 0, 8, 1, 2, 0, 0, 0, 5, 6]))
    #expect(error?.remedy == "the sizes look little-endian: write them big-endian")
  }
}
