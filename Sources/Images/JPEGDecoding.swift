import CTurboJPEG

extension Bitmap {
  /// Decodes a JPEG, baseline or progressive, grey, YCbCr or CMYK, and turns it upright as its EXIF says.
  init(jpeg bytes: [UInt8]) throws(PictureError) {
    guard let decoder = tjInitDecompress() else { throw .damaged("JPEG", "no memory") }
    defer { tjDestroy(decoder) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0
    else { throw .damaged("JPEG", Self.message(decoder)) }
    try PictureError.require(width: Int(width), height: Int(height))
    // Six bits make 256 pixels of one colour: a file that is shorter by far is not worth the memory for its pixels.
    guard Int(width) * Int(height) <= 8192 * bytes.count else {
      throw .damaged("JPEG", "too short for \(width) × \(height) pixels")
    }
    let isGrey = space == Int32(TJCS_GRAY.rawValue)
    let isPrint = space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue)
    let channels = isGrey ? 1 : isPrint ? 4 : 3
    let format = isGrey ? TJPF_GRAY : isPrint ? TJPF_CMYK : TJPF_RGB
    var isWhole = false
    var pixels = [UInt8](unsafeUninitializedCapacity: Int(width) * Int(height) * channels) { target, count in
      target.initialize(repeating: 0)
      count = target.count
      func decode(_ flags: Int32) -> Bool {
        // A file of endless scans is stopped.
        let flags = flags | TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT
        return tjDecompress2(
          decoder, bytes, UInt(bytes.count), target.baseAddress, width, 0, height, format.rawValue, flags)
          == 0
      }
      // A warning is of data that is missing or damaged, save that some cameras leave bytes behind the last of the picture,
      // before the marker of the end, 0xD9: where this is the first warning the picture is whole.
      isWhole = decode(TJFLAG_STOPONWARNING)
      if !isWhole, Self.message(decoder).contains("extraneous bytes before marker 0xd9") {
        isWhole = decode(0) || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
      }
    }
    guard isWhole else { throw .damaged("JPEG", Self.message(decoder)) }
    if isPrint { pixels = Self.colours(ofInverted: pixels) }
    let picture = Bitmap(
      width: Int(width), height: Int(height), channels: isPrint ? 3 : channels, pixels: pixels)
    self = picture.turned(Orientation(jpeg: bytes) ?? .upright)
  }

  /// RGB of CMYK as Photoshop writes it, with all values inverted.
  private static func colours(ofInverted values: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: values.count / 4 * 3)
    for pixel in 0..<values.count / 4 {
      for channel in 0..<3 {
        result[3 * pixel + channel] = UInt8(
          Int(values[4 * pixel + channel]) * Int(values[4 * pixel + 3]) / 255)
      }
    }
    return result
  }

  private static func message(_ decoder: tjhandle) -> String {
    tjGetErrorStr2(decoder).map { String(cString: $0) } ?? ""
  }
}
