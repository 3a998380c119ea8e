import Images
import Testing

struct PortableAnyMapTests {
  private func read(_ text: String, _ bytes: [UInt8] = []) throws -> Bitmap {
    try Bitmap(decoding: Array(text.utf8) + bytes)
  }

  private func grey(_ width: Int, _ pixels: [UInt8]) -> Bitmap {
    Bitmap(width: width, height: pixels.count / width, channels: 1, pixels: pixels)
  }

  @Test func textIsRead() throws {
    #expect(try read("P1\n3 2\n101\n0 1 0") == grey(3, [0, 255, 0, 255, 0, 255]))
    #expect(try read("P2 2 2 255\n0 7\n128 255\n") == grey(2, [0, 7, 128, 255]))
    #expect(
      try read("P3 2 1 255 1 2 3 4 5 6")
        == Bitmap(width: 2, height: 1, channels: 3, pixels: [1, 2, 3, 4, 5, 6]))
  }

  @Test func bytesAreRead() throws {
    // Rows of bits begin with a byte each.
    #expect(
      try read("P4 9 2\n", [0x80, 0x80, 0x01, 0])
        == grey(
          9, [0, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 255, 0, 255]))
    // What looks like space or a comment is a pixel.
    #expect(try read("P5 2 2 255\n", [10, 35, 32, 255]) == grey(2, [10, 35, 32, 255]))
    #expect(
      try read("P6 1 2 255\n", [9, 8, 7, 6, 5, 4])
        == Bitmap(width: 1, height: 2, channels: 3, pixels: [9, 8, 7, 6, 5, 4]))
  }

  @Test func commentsAreLeftOut() throws {
    #expect(try read("P2 # grey\n#7 7\n 2#two\r1 # 9\n255 # end\n 5 6") == grey(2, [5, 6]))
    #expect(try read("P5\n# a\n2 1\n# b\n255\n", [5, 6]) == grey(2, [5, 6]))
  }

  @Test func valuesAreScaledToBytes() throws {
    #expect(try read("P2 4 1 3 0 1 2 3") == grey(4, [0, 85, 170, 255]))
    // Two bytes a value from 256 on, the high one first; rounded to the nearest.
    #expect(
      try read("P5 4 1 65535\n", [0, 0, 0x7F, 0xFF, 0x80, 0, 0xFF, 0xFF]) == grey(4, [0, 127, 128, 255]))
    #expect(try read("P5 2 1 1638\n", [0x06, 0x66, 0, 0x03]) == grey(2, [255, 0]))
  }

  @Test(
    arguments: [
      ("P5 2 2 255\n\u{1}\u{2}\u{3}", "too few values"), ("P2 2 1 255 7", "no number at byte"),
      ("P2 2 1 255 7 x", "no number at byte"), ("P2 2 1 9 7 10", "a value above the largest, 9"),
      ("P5 1 1 0\n ", "a largest value of 0"), ("P5 1 1 65536\n  ", "a largest value of 65536"),
      ("P5 0 1 255\n", "0 × 1 pixels"), ("P5 -1 1 255\n", "no number at byte"),
      ("P1 2 1 12", "no 0 or 1 at byte"),
      ("P6 50000 40000 255\n", "at most 128 million pixels"),
      ("P5 99999999999999999999 1 255\n", "at most 128 million"),
      ("P5 12000 10000 255\n", "too few values"), ("P4 1\u{B2} 1\n ", "no number at byte"),
      ("P5", "something else"),
      ("P5 2", "no number at byte"), ("P7\nWIDTH 1\n", "something else"),
    ])
  func whatIsNoneIsSaid(text: String, expected: String) {
    // One byte a character: ² is a digit in some alphabets.
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    #expect {
      try Bitmap(decoding: bytes)
    } throws: { $0 is PictureError && "\($0)".contains(expected) }
  }
}
