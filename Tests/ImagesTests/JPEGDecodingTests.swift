import Images
import Testing

struct JPEGDecodingTests {
  /// Slopes: JPEG keeps them nearly as they are.
  private func slopes(_ width: Int, _ height: Int, channels: Int) -> Bitmap {
    let pixels = (0..<width * height).flatMap { place -> [UInt8] in
      let (y, x) = place.quotientAndRemainder(dividingBy: width)
      let values = [x * 255 / width, y * 255 / height, (x + y) * 255 / (width + height), 255 - x]
      return values.prefix(channels).map { UInt8($0) }
    }
    return Bitmap(width: width, height: height, channels: channels, pixels: pixels)
  }

  private func difference(_ a: Bitmap, _ b: Bitmap) -> Int {
    guard a.width == b.width, a.height == b.height, a.channels == b.channels else { return 256 }
    return zip(a.pixels, b.pixels).map { abs(Int($0.0) - Int($0.1)) }.max() ?? 256
  }

  /// What a quality of 95 may change in slopes.
  private static let tolerance = 6

  @Test(arguments: [1, 3], [false, true]) func baselineAndProgressiveAreRead(
    channels: Int, isProgressive: Bool
  ) throws {
    let picture = slopes(37, 23, channels: channels)
    let file = try SampleJPEG(picture: picture, isProgressive: isProgressive).bytes()
    // The kind of frame: baseline or progressive.
    #expect(
      file.indices.dropLast().contains { file[$0] == 0xFF && file[$0 + 1] == (isProgressive ? 0xC2 : 0xC0) })
    #expect(difference(try Bitmap(decoding: file), picture) <= Self.tolerance)
  }

  /// Inverted, as printers' programs write them: 255 is no ink.
  @Test func printersColoursBecomeLight() throws {
    var picture = Bitmap(width: 16, height: 16, channels: 4, filledWith: 255)
    for pixel in 0..<256 where pixel % 16 < 8 {
      (picture.pixels[4 * pixel], picture.pixels[4 * pixel + 3]) = (100, 128)
    }
    let result = try Bitmap(decoding: SampleJPEG(picture: picture, isPrint: true).bytes())
    #expect(result.channels == 3)
    var expected = Bitmap(width: 16, height: 16, channels: 3, filledWith: 255)
    for pixel in 0..<256 where pixel % 16 < 8 {
      expected.pixels.replaceSubrange(3 * pixel..<3 * pixel + 3, with: [50, 128, 128])
    }
    #expect(difference(result, expected) <= Self.tolerance)
  }

  /// The corners of the upright picture, from the upper left clockwise, as they lie in a file of each orientation.
  @Test(arguments: 1...8, [true, false]) func picturesAreTurnedUpright(orientation: Int, isLittle: Bool)
    throws
  {
    let corners = [
      [0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0], [0, 3, 2, 1], [1, 2, 3, 0], [2, 1, 0, 3],
      [3, 0, 1, 2],
    ]
    // Each corner has a grey of its own; 8 pixels are JPEG's blocks.
    let greys: [UInt8] = [10, 90, 170, 250]
    let stored = corners[orientation - 1].map { greys[$0] }
    var picture = Bitmap(width: 32, height: 16, channels: 1)
    for y in 0..<16 {
      for x in 0..<32 { picture.pixels[y * 32 + x] = stored[y < 8 ? (x < 16 ? 0 : 1) : (x < 16 ? 3 : 2)] }
    }
    var file = try SampleJPEG(picture: picture, quality: 100).bytes()
    file.insert(contentsOf: SampleJPEG.exif(orientation, isLittle: isLittle), at: 2)
    for fill in [[], [0xFF, 0xFF]] as [[UInt8]] {
      let result = try Bitmap(decoding: Array(file[..<2]) + fill + Array(file[2...]))
      let (width, height) = orientation > 4 ? (16, 32) : (32, 16)
      try #require(result.width == width && result.height == height)
      let seen = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)].map {
        Int(result.pixels[$0.1 * width + $0.0])
      }
      for (value, grey) in zip(seen, greys) { #expect(abs(value - Int(grey)) <= Self.tolerance, "\(seen)") }
    }
  }

  /// An orientation that is none, and a segment that ends too early, leave the picture as it is.
  @Test func unsoundExifIsLeftAlone() throws {
    let picture = slopes(24, 16, channels: 1)
    let file = try SampleJPEG(picture: picture).bytes()
    for orientation in [0, 9, 65_535] {
      var turned = file
      turned.insert(contentsOf: SampleJPEG.exif(orientation, isLittle: true), at: 2)
      #expect(difference(try Bitmap(decoding: turned), picture) <= Self.tolerance)
    }
    for count in 1..<SampleJPEG.exif(6, isLittle: true).count - 12 {
      var exif = Array(SampleJPEG.exif(6, isLittle: true).prefix(4 + count))
      exif[3] = UInt8(count + 2)
      var turned = file
      turned.insert(contentsOf: exif, at: 2)
      #expect(difference(try Bitmap(decoding: turned), picture) <= Self.tolerance)
    }
  }

  @Test(arguments: [false, true]) func bytesBeforeTheEndAreNoDamage(isProgressive: Bool) throws {
    let picture = slopes(37, 23, channels: 3)
    let file = try SampleJPEG(picture: picture, isProgressive: isProgressive).bytes()
    // Of fewer the decoder takes some for the rest of the picture.
    let more = [UInt8](repeating: 0x12, count: 40)
    let result = try Bitmap(decoding: file.dropLast(2) + more + file.suffix(2))
    #expect(difference(result, picture) <= Self.tolerance)
  }

  @Test(arguments: [false, true]) func whatIsDamagedIsRefused(isProgressive: Bool) throws {
    let file = try SampleJPEG(picture: slopes(37, 23, channels: 3), isProgressive: isProgressive).bytes()
    for count in stride(from: 2, to: file.count - 1, by: 7) {
      #expect(throws: PictureError.self, "\(count)") { try Bitmap(decoding: Array(file[..<count])) }
    }
  }

  /// Nearly as many pixels as are allowed, in a file of some hundred bytes.
  @Test func aFileTooShortForItsPixelsIsRefused() throws {
    var file = try SampleJPEG(picture: slopes(8, 8, channels: 1)).bytes()
    let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
    file.replaceSubrange(frame + 5..<frame + 9, with: [0x27, 0x10, 0x27, 0x10])
    #expect {
      try Bitmap(decoding: file)
    } throws: { "\($0)".contains("too short for 10000 × 10000 pixels") }
  }

  /// A large picture of one colour is the shortest file for its pixels.
  @Test(arguments: [false, true]) func aBlankPageIsRead(isProgressive: Bool) throws {
    let page = Bitmap(width: 2000, height: 1500, channels: 1, filledWith: 255)
    let file = try SampleJPEG(picture: page, quality: 1, isProgressive: isProgressive).bytes()
    #expect(try Bitmap(decoding: file).pixels.allSatisfy { $0 > 250 })
  }

  @Test func whatClaimsTooMuchIsRefusedBeforeItIsDecoded() throws {
    var file = try SampleJPEG(picture: slopes(8, 8, channels: 1)).bytes()
    let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
    file.replaceSubrange(frame + 5..<frame + 9, with: [0xC3, 0x50, 0x9C, 0x40])
    #expect {
      try Bitmap(decoding: file)
    } throws: {
      "\($0)" == "expected at most 128 million pixels, found 40000 × 50000 pixels; make the picture smaller"
    }
  }
}
