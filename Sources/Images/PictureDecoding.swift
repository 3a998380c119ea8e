extension Bitmap {
  /// The most pixels that a picture may have: what a large camera makes.
  public static let mostPixels = 128_000_000

  /// Decodes a picture: PNG by libpng, JPEG by libjpeg-turbo, turned as its EXIF says, or PBM, PGM or PPM.
  ///
  /// Throws a `PictureError` for any other kind, naming it if it is known, for a file that is not whole, and for one that
  /// claims more than `mostPixels`.
  public init(decoding bytes: [UInt8]) throws(PictureError) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      try self.init(png: bytes)
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      try self.init(jpeg: bytes)
    } else if bytes.count > 2, bytes[0] == UInt8(ascii: "P"),
      (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1])
    {
      try self.init(portableAnyMap: bytes)
    } else {
      throw Self.foreign(bytes)
    }
  }

  private static func foreign(_ bytes: [UInt8]) -> PictureError {
    let convert = "convert it to PNG"
    func ascii(_ start: Int, _ text: String) -> Bool { bytes.dropFirst(start).starts(with: text.utf8) }
    let (found, remedy): (String, String) =
      if bytes.isEmpty {
        ("an empty file", "save or fetch the picture again")
      } else if ascii(0, "GIF8") {
        ("a GIF picture", convert)
      } else if ascii(0, "RIFF"), ascii(8, "WEBP") {
        ("a WebP picture", convert)
      } else if ascii(4, "ftyp") {
        ("a HEIC or AVIF picture, or a film", convert)
      } else if ascii(0, "BM") {
        ("a BMP picture", convert)
      } else if ascii(0, "II*\0") || ascii(0, "MM\0*") {
        ("a TIFF picture", convert)
      } else if ascii(0, "%PDF") {
        ("a PDF document", convert)
      } else if ascii(0, "version https://git-lfs") {
        ("a Git LFS pointer, not the picture", "fetch it with git lfs pull")
      } else if let first = bytes.first(where: { $0 > UInt8(ascii: " ") }), first == UInt8(ascii: "<") {
        ("a web page or SVG", "fetch the picture itself, or convert it to PNG")
      } else {
        ("something else", convert)
      }
    return PictureError(found: found, remedy: remedy)
  }
}
