import CPNG

extension Bitmap {
  /// The picture as a PNG file, 8 bits a channel, by libpng.
  ///
  /// - Precondition: neither side is 0.
  public func png() -> [UInt8] {
    precondition(width > 0 && height > 0)
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(width)
    image.height = UInt32(height)
    image.format =
      switch channels {
      case 1: 0
      case 3: UInt32(PNG_FORMAT_FLAG_COLOR)
      default: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
      }
    // Deflate falls back to stored blocks, so the file cannot outgrow its pixels by more than a trifle.
    let limit = pixels.count + height + (pixels.count >> 10) + 4096
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var size = limit
      let written = png_image_write_to_memory(&image, buffer.baseAddress, &size, 0, pixels, 0, nil)
      // With memory enough and a format that exists libpng has nothing to object to.
      precondition(written != 0, "libpng: a picture could not be written")
      count = size
    }
  }
}
