/// A picture that cannot be read.
public struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
  public let expected: String
  public let found: String
  public let remedy: String

  init(expected: String = "a PNG, JPEG, PGM or PPM picture", found: String, remedy: String) {
    self.expected = expected
    self.found = found
    self.remedy = remedy
  }

  /// A file of a kind that is known, with something wrong in it.
  static func damaged(_ kind: String, _ detail: String) -> PictureError {
    PictureError(
      expected: "a whole \(kind)", found: detail.isEmpty ? "a damaged one" : "a damaged one (\(detail))",
      remedy: "save or fetch the picture again")
  }

  /// Throws for a picture with more pixels than `Bitmap.mostPixels`, before anything of it is decoded.
  static func require(width: Int, height: Int) throws(PictureError) {
    guard width > 0, height > 0 else {
      throw PictureError(
        expected: "a picture with pixels", found: "\(width) × \(height) pixels",
        remedy: "save the picture again")
    }
    guard height <= Bitmap.mostPixels / width else {
      throw PictureError(
        expected: "at most \(Bitmap.mostPixels / 1_000_000) million pixels",
        found: "\(width) × \(height) pixels",
        remedy: "make the picture smaller")
    }
  }

  public var description: String { "expected \(expected), found \(found); \(remedy)" }
}
