import Testing

@testable import Datasets

@Suite struct PixelDecodingTests {
  func pixels(_ array: IDX, transpose: Bool = false) throws(FileError) -> DecodedPixels {
    try DecodedPixels(array, path: "x", transpose: transpose)
  }

  func problem(_ array: IDX) -> FileError? {
    fileError { () throws(FileError) in try pixels(array) }
  }

  @Test func integersAreTakenAsTheyAre() throws {
    #expect(try pixels(IDX(.int8, [1, 1, 2], [Int8(0), 127])).bytes == [0, 127])
    #expect(try pixels(IDX(.int16, [1, 1, 2], [Int16(1), 255])).bytes == [1, 255])
    #expect(try pixels(IDX(.int32, [1, 1, 2], [Int32(0), 1])).bytes == [0, 1])
  }

  @Test func floatsAreScaledOnlyIfNoneExceedsOne() throws {
    let unit: [Float] = [0, 0.5, 1, -0.0]
    #expect(try pixels(IDX(.float32, [1, 2, 2], unit.map(\.bitPattern))).bytes == [0, 128, 255, 0])
    let wide: [Double] = [0, 0.5, 1.2, 254.6]
    #expect(try pixels(IDX(.float64, [1, 2, 2], wide.map(\.bitPattern))).bytes == [0, 1, 1, 255])
  }

  static let outside: [(Double, String)] = [
    (-1, "-1.0"), (255.5, "255.5"), (.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"),
  ]

  @Test(arguments: outside) func valuesOutsideNameImageAndByte(value: Double, words: String) throws {
    let values = [0, 0, 0, 0, 0, value, 0, 0]
    let error = try #require(problem(IDX(.float64, [4, 1, 2], values.map(\.bitPattern))))
    #expect(error.found == "\(words) in image 2 (counted from 0)")
    #expect(error.byteOffset == 16 + 5 * 8)
  }

  @Test func integersOutsideNameImageAndByte() throws {
    let signed = try #require(problem(IDX(.int8, [2, 1, 1], [Int8(3), -1])))
    #expect(signed.found == "-1 in image 1 (counted from 0)")
    #expect(signed.byteOffset == 17)
    #expect(signed.remedy?.contains("0x08") == true)
    #expect(problem(IDX(.int16, [1, 1, 1], [Int16(256)]))?.found == "256 in image 0 (counted from 0)")
  }

  @Test func bytesInOrderAreNotCopied() throws {
    let array = IDX.images(50)
    let decoded = try pixels(array)
    let same = array.payload.withUnsafeBytes { old in
      decoded.bytes.withUnsafeBytes { $0.baseAddress == old.baseAddress }
    }
    #expect(same)
  }

  @Test func transposingSwapsHeightAndWidth() throws {
    let decoded = try pixels(.images(2), transpose: true)
    #expect(decoded.shape.height == 2 && decoded.shape.width == 3)
    #expect(decoded.bytes == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11])
  }
}
