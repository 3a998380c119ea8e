import Ink

/// How a network that is not trained on normalised ink wants its pictures.
public struct PlainFormat: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// 1 (grey) or 3 (RGB).
  public let channels: Int
  /// Whether paper is 0, rather than 255.
  public let isInkHigh: Bool

  /// - Precondition: neither side is 0, and 1 or 3 channels.
  public init(width: Int, height: Int, channels: Int, isInkHigh: Bool) {
    precondition(width > 0 && height > 0 && [1, 3].contains(channels))
    self.width = width
    self.height = height
    self.channels = channels
    self.isInkHigh = isInkHigh
  }

  /// The value of paper.
  var paper: UInt8 { isInkHigh ? 0 : 255 }
}

extension Bitmap {
  /// The picture resized by area averaging, in the middle of paper where its sides have another ratio.
  ///
  /// A grey one is turned light for dark if its edge says that it lies on the other kind of paper; colours stay as they are.
  ///
  /// - Returns: [channels, height, width].
  public func fitted(to format: PlainFormat) -> [UInt8] {
    let source = opaque(channels: format.channels)
    let isOtherWay = format.channels == 1 && (source.edgeMean >= 128) == format.isInkHigh
    let scale = min(Double(format.width) / Double(width), Double(format.height) / Double(height))
    let columns = max(1, Int((Double(width) * scale).rounded()))
    let rows = max(1, Int((Double(height) * scale).rounded()))
    let means = source.averaged(columns: columns, rows: rows)
    let (left, top) = ((format.width - columns) / 2, (format.height - rows) / 2)
    let plane = format.width * format.height
    var result = [UInt8](repeating: format.paper, count: format.channels * plane)
    for place in 0..<columns * rows {
      let (y, x) = place.quotientAndRemainder(dividingBy: columns)
      for channel in 0..<format.channels {
        let value = means[place * format.channels + channel]
        result[channel * plane + (top + y) * format.width + left + x] = isOtherWay ? 255 - value : value
      }
    }
    return result
  }

  /// In grey or RGB, on white or black where it is transparent.
  private func opaque(channels wanted: Int) -> Bitmap {
    if channels == wanted { return self }
    if wanted == 1 { return grey }
    let paper = paperBehind
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * width * height)
    for pixel in 0..<width * height {
      for channel in 0..<3 {
        let value = Int(self.pixels[channels * pixel + (channels == 1 ? 0 : channel)])
        let opacity = channels == 4 ? Int(self.pixels[4 * pixel + 3]) : 255
        pixels.append(UInt8((value * opacity + paper * (255 - opacity) + 127) / 255))
      }
    }
    return Bitmap(width: width, height: height, channels: 3, pixels: pixels)
  }

  /// The mean along the four sides of a grey picture, 0 to 255.
  private var edgeMean: Int {
    var (sum, count) = (0, 0)
    func add(_ x: Int, _ y: Int) {
      sum += Int(pixels[y * width + x])
      count += 1
    }
    for x in 0..<width {
      add(x, 0)
      add(x, height - 1)
    }
    for y in 0..<height {
      add(0, y)
      add(width - 1, y)
    }
    return sum / count
  }

  /// Each value the mean over the part of the picture that its pixel covers, of pixels at the border of two their share.
  ///
  /// - Returns: [rows, columns, channels].
  private func averaged(columns: Int, rows: Int) -> [UInt8] {
    // Along rows first; Float holds sums of bytes times shares well enough for a byte.
    let across = Self.shares(of: width, in: columns)
    let down = Self.shares(of: height, in: rows)
    var result = [UInt8](repeating: 0, count: rows * columns * channels)
    var sums = [Float](repeating: 0, count: columns * channels)
    for y in 0..<rows {
      for index in sums.indices { sums[index] = 0 }
      for (row, height) in down[y] {
        for x in 0..<columns {
          for (column, width) in across[x] {
            let start = (row * self.width + column) * channels
            for channel in 0..<channels {
              sums[x * channels + channel] += height * width * Float(pixels[start + channel])
            }
          }
        }
      }
      for index in sums.indices {
        result[y * columns * channels + index] = UInt8(max(0, min(255, sums[index].rounded())))
      }
    }
    return result
  }

  /// Of each of `parts` equal parts of a side the pixels in it, with the share that each has of the part's mean.
  private static func shares(of side: Int, in parts: Int) -> [[(pixel: Int, share: Float)]] {
    (0..<parts).map { part in
      // In units of 1/parts of a pixel, so that all is whole.
      let (start, end) = (part * side, (part + 1) * side)
      return (start / parts...(end - 1) / parts).map { pixel in
        let covered = min(end, (pixel + 1) * parts) - max(start, pixel * parts)
        return (pixel, Float(covered) / Float(side))
      }
    }
  }
}
