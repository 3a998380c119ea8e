import Testing

@testable import Datasets

/// Gzip by way of the IDX reader, whose bytes it delivers.
@Suite struct InflaterTests {
  let folder: TemporaryFolder
  let array = IDX.images(300)
  let compressed: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    compressed = try bytes(atPath: folder.file("whole", array, gzip: true))
  }

  /// The content of `array` as gzip members cut at the given place.
  func members(cutAt place: Int) throws -> [UInt8] {
    let content = try bytes(atPath: folder.file("raw", array))
    return try [content[..<place], content[place...]].enumerated().flatMap { index, piece in
      let file = try AtomicFile(path: "\(folder.path)/\(index)")
      let deflater = try Deflater(file)
      try deflater.write(Array(piece))
      try deflater.finish()
      try file.commit()
      return try bytes(atPath: file.path)
    }
  }

  @Test(arguments: [0, 3, 100, 1500, 1816]) func severalMembersAreOneContent(cut: Int) throws {
    #expect(try IDX.read(folder.file("two", members(cutAt: cut))) == array)
  }

  @Test func contentDecidesAndNotTheName() throws {
    #expect(try IDX.read(folder.file("x-idx3-ubyte", compressed)) == array)
    #expect(try IDX.read(folder.file("raw.gz", array)) == array)
  }

  @Test func everyTruncationIsAnError() throws {
    for length in 2..<compressed.count {
      let error = readingError(try folder.file("cut", Array(compressed[..<length])))
      #expect(error?.kind == .malformed, "\(length)")
      #expect(error?.found.contains("gzip stream ends early") == true, "\(length): \(error?.found ?? "")")
    }
  }

  @Test func aWrongChecksumIsAnError() throws {
    var damaged = compressed
    damaged[damaged.count - 6] ^= 1
    let error = try #require(readingError(try folder.file("damaged", damaged)))
    #expect(error.found.hasPrefix("content whose checksum does not match"))
    #expect(error.byteOffset == 16 + array.payload.count)
  }

  @Test func bytesAfterTheEndAreAnError() throws {
    let error = try #require(readingError(try folder.file("trailing", compressed + [1, 2, 3])))
    let place = "(byte \(compressed.count) of the \(compressed.count + 3) compressed ones)"
    #expect(error.found == "bytes after the gzip data that are no gzip \(place)")
  }

  @Test(arguments: [4, 4000]) func aBombIsNotInflated(claim: Int) throws {
    // 64 MB of zeros behind a header that claims a few pixels.
    let file = try AtomicFile(path: "\(folder.path)/bomb")
    let deflater = try Deflater(file)
    try deflater.write([0, 0, 8, 1, 0, 0, UInt8(claim >> 8), UInt8(claim & 255)])
    for _ in 0..<64 { try deflater.write([UInt8](repeating: 0, count: 1 << 20)) }
    try deflater.finish()
    try file.commit()
    let content = try ContentReader(path: file.path)
    #expect(try content.read(upTo: 100).count == 100)
    let error = try #require(readingError(file.path))
    #expect(error.found == "more bytes after them")
    #expect(error.byteOffset == 8 + claim)
  }

  @Test func readingStopsWhereItsCallerDoes() throws {
    let content = try ContentReader(path: folder.file("whole", compressed))
    #expect(content.isCompressed)
    #expect(content.byteLimit == 1032 * compressed.count)
    #expect(try content.read(upTo: 4) == [0, 0, 8, 3])
    #expect(try content.read(upTo: 6, after: [9, 9, 9, 9]) == [9, 9, 9, 9, 0, 0])
  }
}
