/// A picture in memory: 1 (grey), 3 (RGB) or 4 (RGB and opacity) bytes a pixel, row by row from the top.
public struct Bitmap: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Values a pixel: 1, 3 or 4.
  public let channels: Int
  /// [height, width, channels].
  public var pixels: [UInt8]

  /// - Precondition: 1, 3 or 4 channels, and as many pixels as the size says.
  public init(width: Int, height: Int, channels: Int, pixels: [UInt8]) {
    precondition([1, 3, 4].contains(channels) && pixels.count == width * height * channels)
    self.width = width
    self.height = height
    self.channels = channels
    self.pixels = pixels
  }

  /// A picture of one value.
  public init(width: Int, height: Int, channels: Int, filledWith value: UInt8 = 0) {
    self.init(
      width: width, height: height, channels: channels,
      pixels: [UInt8](repeating: value, count: width * height * channels))
  }

  /// Copies `other` into this picture, its upper left corner at (`x`, `y`).
  ///
  /// - Precondition: it has as many channels and lies within.
  public mutating func draw(_ other: Bitmap, x: Int, y: Int) {
    precondition(other.channels == channels && x >= 0 && y >= 0)
    precondition(x + other.width <= width && y + other.height <= height)
    let count = other.width * channels
    for row in 0..<other.height {
      let target = ((y + row) * width + x) * channels
      pixels.replaceSubrange(target..<target + count, with: other.pixels[row * count..<(row + 1) * count])
    }
  }
}
