import CPNG
import Images
import Testing

struct PNGEncodingTests {
  /// Decodes by libpng's simplified interface, to RGBA.
  private func decode(_ png: [UInt8]) throws -> (width: Int, height: Int, pixels: [UInt8]) {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    try #require(png_image_begin_read_from_memory(&image, png, png.count) != 0)
    image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
    var pixels = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 4)
    try #require(png_image_finish_read(&image, nil, &pixels, 0, nil) != 0)
    return (Int(image.width), Int(image.height), pixels)
  }

  /// Pixels that no compressor can shorten.
  private func noise(_ count: Int) -> [UInt8] {
    var state: UInt32 = 7
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }

  @Test(arguments: [1, 3, 4], [(1, 1), (7, 3), (300, 2), (1, 500)])
  func whatIsWrittenIsRead(channels: Int, size: (Int, Int)) throws {
    let pixels = noise(size.0 * size.1 * channels)
    let bitmap = Bitmap(width: size.0, height: size.1, channels: channels, pixels: pixels)
    let result = try decode(bitmap.png())
    #expect(result.width == size.0 && result.height == size.1)
    let expected = (0..<size.0 * size.1).flatMap { place -> [UInt8] in
      let values = Array(pixels[place * channels..<(place + 1) * channels])
      return switch channels {
      case 1: [values[0], values[0], values[0], 255]
      case 3: values + [255]
      default: values
      }
    }
    #expect(result.pixels == expected)
  }

  @Test func flatPicturesAreSmall() {
    #expect(Bitmap(width: 1000, height: 1000, channels: 1).png().count < 3_000)
  }

  @Test func drawingPlacesThePixels() {
    var sheet = Bitmap(width: 3, height: 2, channels: 1, filledWith: 9)
    sheet.draw(Bitmap(width: 2, height: 1, channels: 1, pixels: [1, 2]), x: 1, y: 1)
    #expect(sheet.pixels == [9, 9, 9, 9, 1, 2])
  }
}
