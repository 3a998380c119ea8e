import Ink
import Testing

/// Pictures of one drawing become nearly the same pixels, whatever paper, light, size and polarity they have.
struct PictureNormalizationTests {
  /// A seven of straight bars in a page of a value a pixel.
  private func page(
    _ width: Int, _ height: Int, x: Int, y: Int, size: Int, paper: (Int, Int) -> Int, ink: Int
  ) -> [UInt8] {
    var pixels = (0..<width * height).map { UInt8(clamping: paper($0 % width, $0 / width)) }
    let thickness = max(1, size / 8)
    func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
      for row in rows where (0..<height).contains(row) {
        for column in columns where (0..<width).contains(column) {
          let paper = Int(pixels[row * width + column])
          pixels[row * width + column] = UInt8(clamping: ink >= 0 ? ink : paper + ink)
        }
      }
    }
    fill(x..<x + size / 2, y..<y + thickness)
    for step in 0..<size {
      let left = x + size / 2 - thickness - step / 4
      fill(left..<left + thickness, y + step..<y + step + 1)
    }
    return pixels
  }

  private func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
    zip(a, b).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / 255
  }

  private func clean() throws -> [UInt8] {
    try normalized(
      page(200, 200, x: 60, y: 40, size: 120, paper: { _, _ in 255 }, ink: 0), width: 200, height: 200)
  }

  /// Of some 100 pixels of ink, what edges of whole pixels may make of it.
  private static let tolerance = 12.0

  @Test func polarityPlaceAndSizeDoNotMatter() throws {
    let expected = try clean()
    let light = page(200, 200, x: 60, y: 40, size: 120, paper: { _, _ in 0 }, ink: 255)
    #expect(difference(try normalized(light, width: 200, height: 200), expected) < 1)
    let corner = page(500, 300, x: 400, y: 10, size: 80, paper: { _, _ in 240 }, ink: 60)
    #expect(difference(try normalized(corner, width: 500, height: 300), expected) < Self.tolerance)
    let grey = page(90, 90, x: 30, y: 20, size: 48, paper: { _, _ in 100 }, ink: 160)
    #expect(difference(try normalized(grey, width: 90, height: 90), expected) < Self.tolerance)
  }

  @Test func unevenLightGoes() throws {
    // From 90 to 230, which is more than ink and paper are apart, and a little noise.
    let photo = page(
      220, 220, x: 70, y: 50, size: 120,
      paper: { 90 + ($0 + $1) * 140 / 440 + ($0 * 7 + $1 * 13) % 5 }, ink: -70)
    let expected = try clean()
    #expect(difference(try normalized(photo, width: 220, height: 220), expected) < Self.tolerance)
  }

  @Test func framesAndSpecksGo() throws {
    var form = page(200, 200, x: 60, y: 40, size: 120, paper: { _, _ in 255 }, ink: 0)
    for place in 10..<190 {
      for line in [10, 11, 188, 189] {
        form[line * 200 + place] = 0
        form[place * 200 + line] = 0
      }
    }
    form[150 * 200 + 150] = 0
    let expected = try clean()
    #expect(difference(try normalized(form, width: 200, height: 200), expected) < 1)
  }

  @Test func whatIsNormalizedIsLeftAlone() throws {
    let once = try clean()
    #expect(try normalized(once, width: 28, height: 28) == once)
    #expect(try normalized(once.map { 255 - $0 }, width: 28, height: 28) == once)
    // Elsewhere a second pass changes little: the picture moved by a pixel.
    let moved = (0..<784).map { $0 % 28 == 0 ? 0 : once[$0 - 1] }
    #expect(difference(try normalized(moved, width: 28, height: 28), once) < Self.tolerance)
  }

  @Test(arguments: [0, 128, 255]) func paperAloneIsEmpty(value: Int) {
    for (width, height) in [(1, 1), (1, 50), (28, 28), (300, 20)] {
      #expect(throws: DrawingError.empty) {
        try normalized([UInt8](repeating: UInt8(value), count: width * height), width: width, height: height)
      }
    }
    // Noise is no ink.
    #expect(throws: DrawingError.empty) {
      try normalized((0..<10_000).map { UInt8(200 + $0 * 31 % 7) }, width: 100, height: 100)
    }
  }

  /// Light from one side, and a lens that darkens corners, with noise of so many grey levels or without.
  @Test(arguments: [0, 9], [28, 64, 200]) func unevenLightOnEmptyPaperIsEmpty(noise: Int, side: Int) {
    let slope = { (x: Int, _: Int) -> Int in 120 + 110 * x / side }
    let corners = { (x: Int, y: Int) -> Int in
      let (right, down) = (2 * x - side, 2 * y - side)
      return 235 - 50 * (right * right + down * down) / (side * side)
    }
    for paper in [slope, corners, { slope($0, $1) / 2 + corners($0, $1) / 2 }] {
      let pixels = (0..<side * side).map { place in
        UInt8(paper(place % side, place / side) + (place * 7919 + place / side * 104_729) % (noise + 1))
      }
      #expect(throws: DrawingError.empty) { try normalized(pixels, width: side, height: side) }
    }
  }

  /// A thick ring that fills the picture: two fifths of it are ink.
  @Test(arguments: [0, 60, 110]) func thickInkMayFillThePicture(unevenness: Int) throws {
    let (width, height) = (150, 180)
    func ring(_ paper: (Int, Int) -> Int) throws -> [UInt8] {
      let pixels = (0..<width * height).map { place -> UInt8 in
        let (x, y) = (Double(place % width) - 74.5, Double(place / width) - 89.5)
        let isInk =
          (x / 72) * (x / 72) + (y / 87) * (y / 87) < 1 && (x / 46) * (x / 46) + (y / 60) * (y / 60) > 1
        let light = paper(place % width, place / width) + (place * 7919 + place / width * 104_729) % 5
        return UInt8(isInk ? light * 2 / 5 : light)
      }
      return try normalized(pixels, width: width, height: height)
    }
    let expected = try ring { _, _ in 220 }
    #expect(expected[14 * 28 + 14] == 0 && expected[14 * 28 + 7] > 128)
    let uneven = try ring { x, y in 225 - unevenness * (x + y) / (width + height) }
    #expect(difference(uneven, expected) < Self.tolerance)
  }

  @Test func digitsOfALineComeOneByOne() throws {
    var line = [UInt8](repeating: 255, count: 400 * 100)
    for x in [20, 160, 300] {
      let digit = page(400, 100, x: x, y: 20, size: 60, paper: { _, _ in 255 }, ink: 0)
      for place in line.indices where digit[place] == 0 { line[place] = 0 }
    }
    let digits = try normalizedDigits(line, width: 400, height: 100)
    #expect(digits.count == 3)
    for digit in digits { #expect(difference(digit, try clean()) < Self.tolerance) }
  }

  /// No size, and no content, ends in a trap.
  @Test func anythingIsAPictureOrAnError() {
    var state: UInt64 = 7
    for round in 0..<300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      let (width, height) = (1 + Int(state >> 33) % 60, 1 + Int(state >> 45) % 60)
      let pixels = (0..<width * height).map { index -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return round % 3 == 0
          ? UInt8(truncatingIfNeeded: state >> 40) : (state >> 60) < 3 ? 255 : UInt8(index % 3)
      }
      let result = try? normalized(pixels, width: width, height: height)
      #expect(result?.count ?? 784 == 784)
      _ = try? normalizedDigits(pixels, width: width, height: height)
    }
  }
}
