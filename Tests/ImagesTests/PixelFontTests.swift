import Testing

@testable import Images

struct PixelFontTests {
  /// A text as lines of "#" and ".".
  private func lines(_ text: String, width: Int, x: Int = 0, y: Int = 0, scale: Int = 1) -> [String] {
    var picture = Bitmap(width: width, height: 7 * scale, channels: 1)
    picture.draw(text, x: x, y: y, color: [255], scale: scale)
    return (0..<picture.height).map { row in
      String(picture.pixels[row * width..<(row + 1) * width].map { $0 == 255 ? "#" : "." })
    }
  }

  @Test func lettersLookLikeThemselves() {
    #expect(
      lines("T1", width: Bitmap.width(of: "T1")) == [
        "#####...#..",
        "..#....##..",
        "..#.....#..",
        "..#.....#..",
        "..#.....#..",
        "..#.....#..",
        "..#....###.",
      ])
    #expect(Bitmap.width(of: "", scale: 3) == 0 && Bitmap.textHeight(scale: 2) == 14)
  }

  @Test func noTwoCharactersLookTheSame() {
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-_+/:'()&#%!?="
    let drawings = Set(characters.map { lines(String($0), width: 5) })
    #expect(drawings.count == characters.count)
    #expect(drawings.allSatisfy { $0.joined().contains("#") })
  }

  @Test func smallLettersAndAccentsBecomeCapitals() {
    #expect(lines("éßñ", width: 30) == lines("ESN", width: 30))
    #expect(lines("日~", width: 30) == lines("??", width: 30))
    #expect(!lines(" ", width: 30).joined().contains("#"))
  }

  @Test func pixelsMayBeLargeAndLieOutside() {
    let large = lines("I", width: 10, scale: 2)
    #expect(large[0] == "..######.." && large[1] == large[0] && large[2] == "....##....")
    #expect(lines("T", width: 3, x: -2, y: -6) == ["#.."] + [String](repeating: "...", count: 6))
    #expect(lines("T", width: 5, x: 9, y: 9).joined().contains("#") == false)
  }

  @Test func colourHasAValueForEachChannel() {
    var picture = Bitmap(width: 5, height: 7, channels: 3, filledWith: 9)
    picture.draw("-", x: 0, y: 0, color: [1, 2, 3])
    #expect(Array(picture.pixels[3 * 15..<3 * 20]) == [9, 9, 9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 9, 9, 9])
  }
}
