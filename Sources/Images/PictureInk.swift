import Ink

extension Bitmap {
  /// The picture that networks take, 28 × 28 bytes with ink high; see `NormalizedInk` in Ink.
  ///
  /// Throws a `DrawingError` for a picture of nothing but paper.
  public func normalizedInk() throws(DrawingError) -> [UInt8] {
    let grey = greyForInk
    return try normalized(grey.pixels, width: grey.width, height: grey.height)
  }

  /// The same for each digit of a line, from left to right.
  public func normalizedDigits() throws(DrawingError) -> [[UInt8]] {
    let grey = greyForInk
    return try Ink.normalizedDigits(grey.pixels, width: grey.width, height: grey.height)
  }

  /// The picture in grey, and no larger than is looked at.
  var greyForInk: Bitmap { opaque(isColored: false).shrunk(to: PictureLimits.mostPixels) }

  /// The picture in grey or in colour. What is transparent becomes paper: white, or black where what is opaque is light.
  func opaque(isColored: Bool) -> Bitmap {
    let wanted = isColored ? 3 : 1
    if channels == wanted { return self }
    let paper = paperBehind
    var result = Bitmap(width: width, height: height, channels: wanted)
    for pixel in 0..<width * height {
      let opacity = channels == 4 ? Int(pixels[4 * pixel + 3]) : 255
      for channel in 0..<wanted {
        let value = isColored ? pixels[channels * pixel + (channels == 1 ? 0 : channel)] : luminance(pixel)
        result.pixels[wanted * pixel + channel] = UInt8(
          (Int(value) * opacity + paper * (255 - opacity) + 127) / 255)
      }
    }
    return result
  }

  private func luminance(_ pixel: Int) -> UInt8 {
    if channels == 1 { return pixels[pixel] }
    let (red, green, blue) = (
      Int(pixels[channels * pixel]), Int(pixels[channels * pixel + 1]), Int(pixels[channels * pixel + 2])
    )
    // ITU-R BT.601.
    return UInt8((299 * red + 587 * green + 114 * blue + 500) / 1000)
  }

  private var paperBehind: Int {
    guard channels == 4 else { return 255 }
    var (light, opacity) = (0, 0)
    for pixel in 0..<width * height {
      let value = Int(pixels[4 * pixel + 3])
      light += Int(luminance(pixel)) * value
      opacity += value
    }
    return light < 128 * opacity || opacity == 0 ? 255 : 0
  }

  /// Squares of pixels averaged, as large as it takes.
  private func shrunk(to mostPixels: Int) -> Bitmap {
    var side = 1
    // A strip thinner than a square stays as it is along that axis.
    while max(1, width / side) * max(1, height / side) > mostPixels { side += 1 }
    let (across, down) = (min(side, width), min(side, height))
    if side == 1 { return self }
    var result = Bitmap(width: width / across, height: height / down, channels: 1)
    for y in 0..<result.height {
      for x in 0..<result.width {
        var sum = 0
        for row in y * down..<(y + 1) * down {
          for column in x * across..<(x + 1) * across { sum += Int(pixels[row * width + column]) }
        }
        result.pixels[y * result.width + x] = UInt8((sum + across * down / 2) / (across * down))
      }
    }
    return result
  }
}
