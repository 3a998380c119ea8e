import CTurboJPEG
import Images
import Testing

/// JPEG files by libjpeg-turbo's encoder.
struct SampleJPEG {
  let picture: Bitmap
  var quality: Int32 = 95
  var isProgressive = false
  /// Whether the file holds cyan, magenta, yellow and black, inverted: then a picture of 4 channels.
  var isPrint = false

  func bytes() throws -> [UInt8] {
    let encoder = try #require(tjInitCompress())
    defer { tjDestroy(encoder) }
    var target: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let format = picture.channels == 1 ? TJPF_GRAY : isPrint ? TJPF_CMYK : TJPF_RGB
    let sampling = picture.channels == 1 ? TJSAMP_GRAY : TJSAMP_444
    let status = tjCompress2(
      encoder, picture.pixels, Int32(picture.width), 0, Int32(picture.height), format.rawValue, &target,
      &count,
      Int32(sampling.rawValue), quality, isProgressive ? TJFLAG_PROGRESSIVE : 0)
    defer { tjFree(target) }
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: target, count: Int(count)))
  }

  /// An Exif segment with an orientation, to stand behind the first two bytes of a file.
  static func exif(_ orientation: Int, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
      return isLittle ? bytes : bytes.reversed()
    }
    // A directory of two entries: the width of the picture, which does not matter, and the orientation.
    let tiff =
      Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + number(0x100, 2) + number(4, 2) + number(1, 4) + number(9, 4)
      + number(0x112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2) + number(0, 4)
    let content = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }
}
