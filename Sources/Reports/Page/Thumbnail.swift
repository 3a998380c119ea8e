import Datasets
import Foundation
import Images

extension Bitmap {
  /// An image of a data set as it looks: grey for 1 and 2 channels, colour for 3 and 4; at most 64 pixels a side.
  ///
  /// Larger images shrink by a whole factor, each pixel the mean of a square. Of two channels the mean is shown, of
  /// four the first three.
  init(thumbnailOf image: Int, of data: Dataset) {
    let shape = data.shape
    let factor = (max(shape.height, shape.width) + 63) / 64
    let (height, width) = (max(1, shape.height / factor), max(1, shape.width / factor))
    let channels = shape.channels <= 2 ? 1 : 3
    // A channel of the thumbnail is the mean of `merged` channels of the image.
    let merged = channels == 1 ? shape.channels : 1
    let (rows, columns) = (min(factor, shape.height), min(factor, shape.width))
    var pixels = [UInt8](repeating: 0, count: height * width * channels)
    for channel in 0..<channels {
      for y in 0..<height {
        for x in 0..<width {
          var sum = 0
          for plane in channel..<channel + merged {
            let start = image * shape.count + plane * shape.planeCount
            for row in y * factor..<y * factor + rows {
              for column in x * factor..<x * factor + columns {
                sum += Int(data.pixels[start + row * shape.width + column])
              }
            }
          }
          let count = merged * rows * columns
          pixels[(y * width + x) * channels + channel] = UInt8((sum + count / 2) / count)
        }
      }
    }
    self.init(width: width, height: height, channels: channels, pixels: pixels)
  }

  /// The picture as a PNG within a URL.
  var pngURL: String { "data:image/png;base64," + Data(png()).base64EncodedString() }
}
