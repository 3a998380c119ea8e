import PlainText
import Tensors

/// Where the pixels of an image stand in its file: the shape to make, and the stride of each of its axes.
package struct PixelLayout {
  /// The most channels: grey, grey and alpha, colour, colour and alpha.
  private static let mostChannels = 4

  package private(set) var shape: ImageShape
  private var strides: (channel: Int, row: Int, column: Int)

  /// The layout of images of these IDX dimensions, the first being their number.
  package init(dimensions: [Int], path: String) throws(FileError) {
    func error(_ expected: String, _ found: String, _ remedy: String) -> FileError {
      FileError(.malformed, path: path, byteOffset: 3, expected: expected, found: found, remedy: remedy)
    }
    let words = dimensions.prefix(6).map(\.groupedDigits).joined(separator: "×")
    guard dimensions.count > 1 else {
      throw error(
        "images: 3 dimensions (number, height, width)", "1 dimension of \(words)",
        "this looks like labels: name the images file, perhaps the two are swapped")
    }
    guard dimensions.allSatisfy({ $0 > 0 }) else {
      throw FileError(
        .malformed, path: path, byteOffset: 4, expected: "at least one image of at least one pixel",
        found: "an empty set (\(words))", remedy: "name a file with images")
    }
    switch dimensions.count {
    case 2:
      let side = Int(Double(dimensions[1]).squareRoot().rounded())
      guard side * side == dimensions[1] else {
        throw error(
          "images: 3 dimensions, or rows whose length is a square number like 784",
          "2 dimensions of \(words)", "write the file with its height and width")
      }
      self.init(height: side, width: side)
    case 3:
      self.init(height: dimensions[1], width: dimensions[2])
    case 4 where dimensions[1] <= Self.mostChannels:
      self.init(channels: dimensions[1], height: dimensions[2], width: dimensions[3])
    case 4 where dimensions[3] <= Self.mostChannels:
      let (height, width, channels) = (dimensions[1], dimensions[2], dimensions[3])
      self.init(channels: channels, height: height, width: width, strides: (1, width * channels, channels))
    case 4:
      throw error(
        "images with 1 to 4 channels as second or last of 4 dimensions", "4 dimensions of \(words)",
        "write the file as number, channels, height, width")
    default:
      throw error(
        "images: 3 or 4 dimensions", "\(dimensions.count) dimensions of \(words)…",
        "write the file as number, channels, height, width")
    }
  }

  private init(
    channels: Int = 1, height: Int, width: Int, strides: (channel: Int, row: Int, column: Int)? = nil
  ) {
    shape = ImageShape(channels: channels, height: height, width: width)
    self.strides = strides ?? (channel: height * width, row: width, column: 1)
  }

  /// Swaps height and width of the images to make.
  mutating func transpose() {
    shape = ImageShape(channels: shape.channels, height: shape.width, width: shape.height)
    strides = (strides.channel, row: strides.column, column: strides.row)
  }

  /// The pixels of `count` images in the order C, H, W; no copy where they stand so already.
  func arranged(_ pixels: [UInt8], count: Int) -> [UInt8] {
    let (channels, height, width) = (shape.channels, shape.height, shape.width)
    let isInOrder = strides.column == 1 && strides.row == width && strides.channel == shape.planeCount
    if isInOrder || pixels.count != count * shape.count { return pixels }
    return [UInt8](unsafeUninitializedCapacity: pixels.count) { target, initializedCount in
      // Bounds checks would cost more than the copying: every index below is less than `pixels.count`.
      pixels.withUnsafeBufferPointer { source in
        var next = 0
        for image in 0..<count {
          for channel in 0..<channels {
            for row in 0..<height {
              var place = image * shape.count + channel * strides.channel + row * strides.row
              for _ in 0..<width {
                target[next] = source[place]
                next += 1
                place += strides.column
              }
            }
          }
        }
      }
      initializedCount = pixels.count
    }
  }
}
