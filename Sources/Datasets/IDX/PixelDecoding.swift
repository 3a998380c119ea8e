import PlainText
import Tensors

/// Images out of an IDX array: one byte a pixel, [count, channels, height, width].
struct DecodedPixels {
  let count: Int
  let shape: ImageShape
  let bytes: [UInt8]

  /// Decodes the images of an array.
  ///
  /// Rank 3 is [n, h, w], rank 4 [n, c, h, w] or [n, h, w, c], rank 2 [n, side²]. `transpose` swaps height and
  /// width, as EMNIST needs. Throws a `FileError` for other ranks, no images, and pixels outside 0 to 255.
  init(_ array: consuming IDX, path: String, transpose: Bool) throws(FileError) {
    var layout = try PixelLayout(dimensions: array.dimensions, path: path)
    if transpose { layout.transpose() }
    count = array.dimensions[0]
    shape = layout.shape
    bytes = layout.arranged(try array.pixelBytes(path: path), count: count)
  }
}

extension IDX {
  /// The elements as bytes: integers as they are; floating values scaled by 255 if all lie in 0 to 1, and rounded.
  fileprivate consuming func pixelBytes(path: String) throws(FileError) -> [UInt8] {
    if elementType == .uint8 { return payload }
    var largest = 0.0
    for index in 0..<count {
      let value = value(at: index)
      // Written so that NaN fails as well.
      guard value >= 0, value <= 255 else { throw pixelError(index: index, value: value, path: path) }
      largest = max(largest, value)
    }
    let isFloating = elementType == .float32 || elementType == .float64
    let scale: Double = isFloating && largest <= 1 ? 255 : 1
    return (0..<count).map { UInt8((value(at: $0) * scale).rounded()) }
  }

  private func pixelError(index: Int, value: Double, path: String) -> FileError {
    let pixelCount = dimensions.dropFirst().reduce(1, *)
    let isFloating = elementType == .float32 || elementType == .float64
    let remedy =
      if elementType == .int8 {
        "if these are unsigned bytes, set byte 2 of the file to 0x08"
      } else {
        "scale the pixels to 0...255\(isFloating ? " or 0...1" : "") when writing the file"
      }
    return FileError(
      .malformed, path: path, byteOffset: byteOffset(of: index), expected: "pixels from 0 to 255",
      found:
        "\(isFloating ? "\(value)" : "\(Int(value))") in image \((index / pixelCount).groupedDigits) (counted from 0)",
      remedy: remedy)
  }
}
