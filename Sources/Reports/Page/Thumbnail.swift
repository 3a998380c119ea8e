import Datasets
import Foundation
import Images

/// How a plane becomes one of at most 64 pixels a side: by a whole factor, each pixel the mean of a square.
struct Shrinking {
  let height: Int
  let width: Int
  /// The extent of the larger plane that becomes one pixel.
  private let rows: Int
  private let columns: Int
  private let fullWidth: Int

  private static let side = 64

  /// Of a plane of this size; one that is small enough stays as it is.
  init(height: Int, width: Int) {
    let factor = (max(height, width) + Self.side - 1) / Self.side
    (self.height, self.width) = (max(1, height / factor), max(1, width / factor))
    (rows, columns) = (min(factor, height), min(factor, width))
    fullWidth = width
  }

  /// The mean of each square, row by row; `value` gives those of the larger plane.
  func means(_ value: (Int) -> Double) -> [Double] {
    (0..<height * width).map { place in
      let (y, x) = place.quotientAndRemainder(dividingBy: width)
      var sum = 0.0
      for row in y * rows..<(y + 1) * rows {
        for column in x * columns..<(x + 1) * columns { sum += value(row * fullWidth + column) }
      }
      return sum / Double(rows * columns)
    }
  }
}

extension Bitmap {
  /// An image of a data set as it looks: grey for 1 and 2 channels, colour for 3 and 4; shrunk if it is large.
  ///
  /// Of two channels the mean is shown, of four the first three.
  init(thumbnailOf image: Int, of data: Dataset) {
    let shape = data.shape
    let small = Shrinking(height: shape.height, width: shape.width)
    let channels = shape.channels <= 2 ? 1 : 3
    // A channel of the thumbnail is the mean of `merged` channels of the image.
    let merged = channels == 1 ? shape.channels : 1
    var pixels = [UInt8](repeating: 0, count: small.height * small.width * channels)
    for channel in 0..<channels {
      let start = image * shape.count + channel * shape.planeCount
      let means = small.means { place in
        Double((0..<merged).reduce(0) { $0 + Int(data.pixels[start + $1 * shape.planeCount + place]) })
      }
      for (place, mean) in means.enumerated() {
        pixels[place * channels + channel] = UInt8((mean / Double(merged)).rounded())
      }
    }
    self.init(width: small.width, height: small.height, channels: channels, pixels: pixels)
  }

  /// The picture as a PNG within a URL.
  var pngURL: String { "data:image/png;base64," + Data(png()).base64EncodedString() }
}
