import Images
import Testing

struct PNGDecodingTests {
  /// A value of `depth` bits in 8, rounded to the nearest.
  private func byte(_ value: Int, _ depth: Int) -> UInt8 {
    let most = (1 << depth) - 1
    return UInt8((2 * 255 * value + most) / (2 * most))
  }

  private func expectation(_ file: SamplePNG) -> Bitmap {
    let pixels = stride(from: 0, to: file.values.count, by: file.channels).map {
      Array(file.values[$0..<$0 + file.channels])
    }
    let bytes = pixels.map { $0.map { byte($0, file.depth) } }
    // What is transparent: one value, or so much of each colour.
    let keys = stride(from: 0, to: file.transparency.count, by: 2).map {
      $0 + 1 < file.transparency.count ? Int(file.transparency[$0]) << 8 | Int(file.transparency[$0 + 1]) : -1
    }
    let isSeeThrough = !file.transparency.isEmpty
    func opacity(_ pixel: Int) -> [UInt8] { isSeeThrough ? [pixels[pixel] == keys ? 0 : 255] : [] }
    let result = pixels.indices.flatMap { pixel -> [UInt8] in
      let values = bytes[pixel]
      switch file.colorType {
      case 0: return isSeeThrough ? [values[0], values[0], values[0]] + opacity(pixel) : values
      case 2: return values + opacity(pixel)
      case 3:
        let color = pixels[pixel][0]
        let own = color < file.transparency.count ? file.transparency[color] : 255
        return Array(file.palette[3 * color..<3 * color + 3]) + (isSeeThrough ? [own] : [])
      case 4: return [values[0], values[0], values[0], values[1]]
      default: return values
      }
    }
    return Bitmap(
      width: file.width, height: file.height, channels: result.count / (file.width * file.height),
      pixels: result)
  }

  @Test(
    arguments: [
      (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8),
      (4, 16),
      (6, 8), (6, 16),
    ] as [(UInt8, Int)], [false, true])
  func everyKindIsRead(kind: (colorType: UInt8, depth: Int), isInterlaced: Bool) throws {
    var file = SamplePNG(colorType: kind.colorType, depth: kind.depth, isInterlaced: isInterlaced)
    if kind.colorType == 3 {
      file.palette = (0..<3 << kind.depth).map { UInt8(truncatingIfNeeded: 37 * $0 + 5) }
    }
    #expect(try Bitmap(decoding: file.bytes) == expectation(file))
    // Interlaced pictures may have passes without a pixel.
    (file.width, file.height) = (3, 1)
    #expect(try Bitmap(decoding: file.bytes) == expectation(file))

    guard kind.colorType < 4 else { return }
    (file.width, file.height) = (9, 16)
    switch kind.colorType {
    case 3: file.transparency = (0..<(1 << kind.depth) - 1).map { UInt8(truncatingIfNeeded: 90 * $0) }
    default:
      // The value of the pixel in the middle.
      let middle = file.values[72 * file.channels..<73 * file.channels]
      file.transparency = middle.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
    let picture = try Bitmap(decoding: file.bytes)
    #expect(picture == expectation(file))
    #expect(picture.channels == 4)
  }

  /// One byte less, one more, or another in any place of the pixels.
  @Test func whatIsDamagedIsRefused() {
    let whole = SamplePNG(width: 4, height: 3, colorType: 0, depth: 8).bytes
    for count in 4..<whole.count {
      #expect(throws: PictureError.self, "\(count)") { try Bitmap(decoding: Array(whole[..<count])) }
    }
    for place in 8..<whole.count {
      var file = whole
      file[place] ^= 0x10
      #expect(throws: PictureError.self, "\(place)") { try Bitmap(decoding: file) }
    }
  }

  @Test(
    arguments: [(50_000, 40_000), (2_000_000_000, 1), (1, 2_147_483_647), (11_314, 11_314)],
    [[8, 0, 0, 0, 0], [16, 6, 0, 0, 1]] as [[UInt8]])
  func whatClaimsTooMuchIsRefusedBeforeItIsDecoded(size: (width: Int, height: Int), format: [UInt8]) {
    var file = SamplePNG(width: 1, height: 1, colorType: 0, depth: 8).bytes
    let sides = [size.width, size.height].flatMap { side in [24, 16, 8, 0].map { UInt8(side >> $0 & 255) } }
    file.replaceSubrange(8..<33, with: SamplePNG.chunk("IHDR", sides + format))
    let before = peakMemory
    #expect {
      try Bitmap(decoding: file)
    } throws: {
      "\($0)" == "expected at most 128 million pixels, found \(size.width) × \(size.height) pixels; "
        + "make the picture smaller"
    }
    // Other tests run beside this one; a row of the widest would take 2 or 16 GB.
    #expect(peakMemory - before < 1 << 30)
  }

  /// Memory for its pixels would be there, but a file of 70 bytes cannot fill it.
  @Test func aFileTooShortForItsPixelsIsRefused() {
    var file = SamplePNG(width: 1, height: 1, colorType: 0, depth: 8).bytes
    file.replaceSubrange(
      8..<33, with: SamplePNG.chunk("IHDR", [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10, 8, 0, 0, 0, 0]))
    #expect {
      try Bitmap(decoding: file)
    } throws: { "\($0)".contains("too short for 10000 × 10000 pixels") }
  }
}
