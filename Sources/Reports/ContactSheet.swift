import Datasets
import Images
import PlainText

/// Some images of each class, side by side in one picture, a row a class with its name in front.
package struct ContactSheet {
  private let data: Dataset
  /// The images to show, a row a class.
  private let rows: [[Int]]

  private static let margin = 6
  private static let gap = 2
  private static let longestName = 16
  /// Smaller images are enlarged to at least this side, in pixels.
  private static let side = 56
  private static let textScale = 2
  /// A picture wider or higher than this is of little use, and large in memory.
  private static let largestSide = 30_000

  /// - Parameter count: the most images of a class, taken at even distances from all of its.
  package init(_ data: Dataset, count: Int) {
    self.data = data
    var members = [[Int]](repeating: [], count: data.classes.count)
    for (image, label) in data.labels.enumerated() where label != Dataset.noClass {
      members[Int(label)].append(image)
    }
    rows = members.map { images in
      let shown = min(count, images.count)
      return (0..<shown).map { images[$0 * images.count / shown] }
    }
  }

  /// How many images are on it.
  package var imageCount: Int { rows.reduce(0) { $0 + $1.count } }

  /// The sheet, in colour if the images are; nil where it would be too large.
  package var picture: Bitmap? {
    let sample = Bitmap(thumbnailOf: 0, of: data)
    let longer = max(sample.width, sample.height)
    let scale = (Self.side + longer - 1) / longer
    let (width, height) = (sample.width * scale + Self.gap, sample.height * scale + Self.gap)
    let names = data.classes.names.map { $0.cut(to: Self.longestName) }
    let nameWidth = names.map { Bitmap.width(of: $0, scale: Self.textScale) }.max() ?? 0
    let textHeight = Bitmap.textHeight(scale: Self.textScale)
    let rowHeight = max(height, textHeight + Self.gap)
    let left = 2 * Self.margin + nameWidth
    let columns = rows.map(\.count).max() ?? 0
    let size = (
      width: left + columns * width + Self.margin, height: rows.count * rowHeight + 2 * Self.margin
    )
    guard max(size.width, size.height) <= Self.largestSide else { return nil }
    var sheet = Bitmap(width: size.width, height: size.height, channels: sample.channels, filledWith: 238)
    let ink = [UInt8](repeating: 34, count: sample.channels)
    for (row, images) in rows.enumerated() {
      let top = Self.margin + row * rowHeight
      sheet.draw(
        names[row], x: Self.margin, y: top + (rowHeight - textHeight) / 2, color: ink, scale: Self.textScale)
      for (column, image) in images.enumerated() {
        sheet.draw(
          Bitmap(thumbnailOf: image, of: data).enlarged(scale), x: left + column * width, y: top)
      }
    }
    return sheet
  }
}

extension Bitmap {
  /// Each pixel as a square of so many pixels a side.
  fileprivate func enlarged(_ scale: Int) -> Bitmap {
    if scale == 1 { return self }
    var result = Bitmap(width: width * scale, height: height * scale, channels: channels)
    for row in 0..<result.height {
      for column in 0..<result.width {
        let source = (row / scale * width + column / scale) * channels
        let target = (row * result.width + column) * channels
        for channel in 0..<channels { result.pixels[target + channel] = pixels[source + channel] }
      }
    }
    return result
  }
}
