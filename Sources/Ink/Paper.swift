/// What a picture would be without ink, estimated from it: one value where paper is even, as in screenshots, and where
/// light is not, as in photos, one for each part.
struct Paper {
  /// Parts along each side.
  static let parts = 12

  private let picture: GreyPicture
  /// The paper of each part, [parts, parts].
  private let values: UnsafeMutablePointer<Float>
  /// How much of the picture must have the most frequent value, or one near it, for the paper to be even.
  private static let evenShare = 0.6
  private static let evenDistance = 3

  /// - Parameters:
  ///   - values: parts · parts floats.
  ///   - scratch: the same again.
  init(_ picture: GreyPicture, values: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>) {
    self.picture = picture
    self.values = values
    var histogram = Histogram()
    for index in 0..<picture.count { histogram.add(picture.pixels[index]) }
    let mode = histogram.mode
    if Double(histogram.count(within: Self.evenDistance, of: mode)) >= Self.evenShare * Double(picture.count)
    {
      for index in 0..<Self.parts * Self.parts { values[index] = Float(mode) }
      return
    }
    for row in 0..<Self.parts {
      for column in 0..<Self.parts { scratch[row * Self.parts + column] = median(row, column) }
    }
    // The median of a part's neighbourhood: ink may fill a part, but not most of those around it.
    for row in 0..<Self.parts {
      for column in 0..<Self.parts {
        var near = Histogram()
        for y in max(0, row - 3)..<min(Self.parts, row + 4) {
          for x in max(0, column - 3)..<min(Self.parts, column + 4) {
            near.add(UInt8(scratch[y * Self.parts + x]))
          }
        }
        values[row * Self.parts + column] = Float(near.median)
      }
    }
  }

  private func median(_ row: Int, _ column: Int) -> Float {
    var histogram = Histogram()
    let rows = Self.range(row, picture.height)
    let columns = Self.range(column, picture.width)
    for y in rows {
      for x in columns { histogram.add(picture.pixels[y * picture.width + x]) }
    }
    return Float(histogram.median)
  }

  /// The pixels of a part; never empty, and overlapping where there are fewer pixels than parts.
  private static func range(_ part: Int, _ size: Int) -> Range<Int> {
    let start = min(part * size / parts, size - 1)
    return start..<max(start + 1, (part + 1) * size / parts)
  }

  /// The paper at each pixel of a row, between the parts' centres linear.
  func row(_ y: Int, to target: UnsafeMutablePointer<Float>) {
    let (top, bottom, down) = Self.place(y, picture.height)
    for x in 0..<picture.width {
      let (left, right, along) = Self.place(x, picture.width)
      let upper = values[top * Self.parts + left] * (1 - along) + values[top * Self.parts + right] * along
      let lower =
        values[bottom * Self.parts + left] * (1 - along) + values[bottom * Self.parts + right] * along
      target[x] = upper * (1 - down) + lower * down
    }
  }

  /// The parts before and behind a pixel, and how far it is from the first to the second.
  private static func place(_ pixel: Int, _ size: Int) -> (Int, Int, Float) {
    let place = (Float(pixel) + 0.5) * Float(parts) / Float(size) - 0.5
    guard place > 0 else { return (0, 0, 0) }
    let first = min(Int(place), parts - 1)
    return (first, min(first + 1, parts - 1), place - Float(first))
  }
}
