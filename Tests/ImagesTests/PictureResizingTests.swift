import Testing

@testable import Images

struct PictureResizingTests {
  private func grey(_ width: Int, _ pixels: [UInt8]) -> Bitmap {
    Bitmap(width: width, height: pixels.count / width, channels: 1, pixels: pixels)
  }

  @Test func aPictureOfThatSizeStaysAsItIs() {
    let picture = grey(3, [1, 2, 3, 250, 5, 6])
    #expect(picture.fitted(width: 3, height: 2, isColored: false) == picture)
  }

  @Test func eachPixelIsTheMeanOfItsArea() {
    let picture = grey(4, [0, 10, 100, 200, 20, 30, 100, 0])
    #expect(picture.fitted(width: 2, height: 1, isColored: false).pixels == [15, 100])
    // Of three pixels each becomes two thirds of one and a third of another.
    let third = grey(3, [0, 90, 240, 0, 90, 240, 0, 90, 240]).fitted(width: 2, height: 2, isColored: false)
    #expect(third.pixels == [30, 190, 30, 190])
    // Enlarged, each becomes a square.
    #expect(
      grey(2, [7, 9]).fitted(width: 4, height: 2, isColored: false).pixels == [7, 7, 9, 9, 7, 7, 9, 9])
  }

  @Test func marginsHaveTheColourOfThePaper() {
    // White paper with ink in the middle, three times as wide as high.
    var picture = Bitmap(width: 9, height: 3, channels: 1, filledWith: 240)
    picture.draw(Bitmap(width: 1, height: 1, channels: 1), x: 4, y: 1)
    // Ink that touches the edge does not make the paper dark.
    picture.pixels[0] = 0
    let square = picture.fitted(width: 9, height: 9, isColored: false)
    #expect(Array(square.pixels[0..<27]) == [UInt8](repeating: 240, count: 27))
    #expect(Array(square.pixels[27..<54]) == picture.pixels)
    #expect(Array(square.pixels[54...]) == [UInt8](repeating: 240, count: 27))
    let high = Bitmap(width: 3, height: 9, channels: 3, filledWith: 50)
      .fitted(width: 6, height: 6, isColored: true)
    #expect(high.channels == 3 && Set(high.pixels) == [50])
  }

  @Test func greyAndColourAreMadeOfEachOther() {
    let red = Bitmap(width: 1, height: 1, channels: 3, pixels: [255, 0, 0])
    #expect(red.fitted(width: 1, height: 1, isColored: false).pixels == [76])
    #expect(red.fitted(width: 1, height: 1, isColored: true).pixels == [255, 0, 0])
    #expect(grey(1, [9]).fitted(width: 1, height: 1, isColored: true).pixels == [9, 9, 9])
  }

  @Test func whatIsTransparentBecomesPaper() {
    let dark = Bitmap(width: 2, height: 1, channels: 4, pixels: [9, 9, 9, 255, 0, 0, 0, 0])
    #expect(dark.fitted(width: 2, height: 1, isColored: true).pixels == [9, 9, 9, 255, 255, 255])
    let light = Bitmap(width: 2, height: 1, channels: 4, pixels: [200, 220, 240, 255, 9, 9, 9, 0])
    #expect(light.fitted(width: 2, height: 1, isColored: true).pixels == [200, 220, 240, 0, 0, 0])
  }

  @Test(arguments: [(1, 1), (1, 300), (300, 1), (28, 28), (1024, 3)])
  func noPictureIsTooNarrow(width: Int, height: Int) {
    // Weights add up to 1: one colour stays that colour.
    for (w, h) in [(1, 1), (1, 97), (97, 1), (31, 17)] {
      let picture = Bitmap(width: w, height: h, channels: 1, filledWith: 201)
      let result = picture.fitted(width: width, height: height, isColored: false)
      #expect(result.width == width && result.height == height && Set(result.pixels) == [201], "\(w)×\(h)")
    }
  }
  @Test func aHighStripTakesNoMemory() {
    let strip = Bitmap(width: 1, height: 1_000_000, channels: 1, filledWith: 200)
    let before = peakMemory
    let result = strip.fitted(width: 1024, height: 8, isColored: false)
    #expect(Set(result.pixels) == [200])
    // Other tests run beside this one; 1024 values of each row would take 4 GB.
    #expect(peakMemory - before < 1 << 30)
  }
}
