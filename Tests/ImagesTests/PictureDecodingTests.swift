import Foundation
import Images
import Testing

struct PictureDecodingTests {
  @Test(
    arguments: [
      ([], "an empty file; save or fetch"), (Array("GIF89a".utf8), "a GIF picture; convert it to PNG"),
      (Array("RIFF....WEBPVP8 ".utf8), "a WebP picture; convert"),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), "a HEIC or AVIF picture, or a film; convert"),
      (Array("BM......".utf8), "a BMP picture; convert"),
      (Array("II*\0....".utf8), "a TIFF picture; convert"),
      (Array("%PDF-1.7".utf8), "a PDF document; convert"),
      (Array("version https://git-lfs.example/spec/v1".utf8), "a Git LFS pointer, not the picture; fetch it"),
      (Array("\n <!doctype html>".utf8), "a web page or SVG; fetch"), ([0xFF], "something else"),
      ([0x89, 0x50, 0x4E], "something else"),
    ] as [([UInt8], String)])
  func otherKindsAreNamed(bytes: [UInt8], expected: String) {
    #expect {
      try Bitmap(decoding: bytes)
    } throws: { "\($0)".hasPrefix("expected a PNG, JPEG, PGM or PPM picture, found \(expected)") }
  }
}
