import PNGDecoder

extension Bitmap {
  /// Decodes any PNG: 1 to 16 bits, grey, palette, RGB, opacity, interlaced. Its gamma is left alone, as most decoders do.
  init(png bytes: [UInt8]) throws(PictureError) {
    var file = InklingPNG()
    self = try bytes.withUnsafeBufferPointer { buffer throws(PictureError) in
      file.bytes = buffer.baseAddress
      file.count = buffer.count
      guard inkling_png_begin(&file) != 0 else { throw .damaged("PNG", Self.message(file)) }
      let (width, height, channels) = (Int(file.width), Int(file.height), Int(file.channels))
      do throws(PictureError) {
        try PictureError.require(width: width, height: height)
      } catch {
        inkling_png_end(&file)
        throw error
      }
      // Deflate packs a thousandfold at most: a file too short for its pixels is not worth their memory.
      guard [1, 3, 4].contains(channels), width * height / 8 <= 1100 * bytes.count else {
        inkling_png_end(&file)
        throw .damaged("PNG", "too short for \(width) × \(height) pixels")
      }
      var isWhole = false
      let pixels = [UInt8](unsafeUninitializedCapacity: width * height * channels) { target, count in
        target.initialize(repeating: 0)
        isWhole = inkling_png_read(&file, target.baseAddress) != 0
        count = target.count
      }
      guard isWhole else { throw .damaged("PNG", Self.message(file)) }
      return Bitmap(width: width, height: height, channels: channels, pixels: pixels)
    }
  }

  private static func message(_ file: InklingPNG) -> String {
    withUnsafeBytes(of: file.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
