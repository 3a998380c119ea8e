import Images
import Ink
import Testing

struct PictureInkTests {
  /// A bar from top to bottom, dark on white.
  private func bar(_ width: Int, _ height: Int, columns: Range<Int>) -> Bitmap {
    var picture = Bitmap(width: width, height: height, channels: 1, filledWith: 255)
    for y in height / 10..<height - height / 10 {
      for x in columns { picture.pixels[y * width + x] = 0 }
    }
    return picture
  }

  private func mapped(_ picture: Bitmap, channels: Int, _ pixel: (UInt8) -> [UInt8]) -> Bitmap {
    Bitmap(
      width: picture.width, height: picture.height, channels: channels, pixels: picture.pixels.flatMap(pixel))
  }

  @Test func coloursAndOpacityDoNotMatter() throws {
    let grey = bar(60, 100, columns: 25..<33)
    let expected = try grey.normalizedInk()
    #expect(try mapped(grey, channels: 3) { [$0, $0, $0] }.normalizedInk() == expected)
    // Ink in the opacity alone, black and white; nothing but clear pixels elsewhere.
    #expect(try mapped(grey, channels: 4) { [0, 0, 0, 255 - $0] }.normalizedInk() == expected)
    #expect(try mapped(grey, channels: 4) { [255, 255, 255, 255 - $0] }.normalizedInk() == expected)
    #expect(try mapped(grey, channels: 4) { [$0, $0, $0, 255] }.normalizedInk() == expected)
  }

  /// Of 1 pixel a side, larger than is looked at, and such that a square of pixels would not fit: each is looked at, soon.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [(1, 1), (1, 40), (40, 1), (1_100, 1_000), (3_000_000, 1), (1, 3_000_000), (2_000_000, 3)])
  func everyShapeIsTaken(width: Int, height: Int) throws {
    let blank = Bitmap(width: width, height: height, channels: 1, filledWith: 255)
    #expect(throws: DrawingError.empty) { try blank.normalizedInk() }
    #expect(throws: DrawingError.empty) { try blank.normalizedDigits() }
    guard width * height > 1 else { return }
    // A third of it is ink.
    var picture = blank
    for place in picture.pixels.indices where place % max(width, 3) < max(width, 3) / 3 {
      picture.pixels[place] = 0
    }
    let ink = try? picture.normalizedInk()
    #expect(ink.map { $0.count == 784 } ?? true)
  }

  @Test func digitsAreCutFromLeftToRight() throws {
    // A bar, a broad block and a bar; the second is two parts above each other.
    var sheet = bar(200, 100, columns: 20..<26)
    for y in 10..<90 where !(45..<55).contains(y) {
      for x in 80..<130 { sheet.pixels[y * 200 + x] = 0 }
    }
    for y in 10..<90 {
      for x in 170..<176 { sheet.pixels[y * 200 + x] = 0 }
    }
    let digits = try sheet.normalizedDigits()
    #expect(digits.count == 3)
    func columns(_ digit: [UInt8]) -> Int {
      (0..<28).count { x in (0..<28).contains { y in digit[y * 28 + x] > 127 } }
    }
    #expect(digits.map { columns($0) < 8 } == [true, false, true])
    #expect(digits[0] == digits[2])
  }
}
