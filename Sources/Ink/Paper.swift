/// What a picture would be without ink, estimated from it: one value where paper is even, as in screenshots, and where
/// light is not, as in photos, one for each part.
struct Paper {
  /// Parts along each side.
  static let parts = 12

  /// Grey levels between the lightest and the darkest paper at large.
  let unevenness: Float
  private let picture: GreyPicture
  private let surface: PaperSurface
  /// By how much the paper of each part differs from the surface, [parts, parts].
  private let values: UnsafeMutablePointer<Float>
  /// How much of the picture must have the most frequent value, or one near it, for the paper to be even: this share in any
  /// case, or the smaller one if half of the picture's edge has it too, as in a picture cut close to thick ink.
  private static let evenShare = 0.6
  private static let evenShareOfTightPicture = 0.4
  /// Grey levels that are near; with noise, so many standard deviations of it.
  private static let evenDistance: Float = 3

  /// - Parameters:
  ///   - values: parts · parts floats.
  ///   - scratch: the same again.
  init(_ picture: GreyPicture, values: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>) {
    self.picture = picture
    self.values = values
    let noise = Self.noise(picture)
    if let even = Self.even(picture, distance: Int(Self.evenDistance * max(1, noise))) {
      (surface, unevenness) = (PaperSurface(constant: even), 0)
      for index in 0..<Self.parts * Self.parts { values[index] = 0 }
      return
    }
    // Paper is what is light in most parts, where ink is dark, or the other way round: that which a surface fits better.
    Self.fill(scratch, picture, quantile: Self.quantile)
    let light = PaperSurface(scratch, side: Self.parts)
    let lightError = light.error(scratch, side: Self.parts)
    Self.fill(scratch, picture, quantile: 1 - Self.quantile)
    let dark = PaperSurface(scratch, side: Self.parts)
    let isLight = lightError <= dark.error(scratch, side: Self.parts)
    surface = isLight ? light : dark
    if isLight { Self.fill(scratch, picture, quantile: Self.quantile) }
    var (lowest, highest) = (Float.infinity, -Float.infinity)
    for row in 0..<Self.parts {
      for column in 0..<Self.parts {
        let value = surface.value(
          PaperSurface.place(column, Self.parts), PaperSurface.place(row, Self.parts))
        (lowest, highest) = (min(lowest, value), max(highest, value))
        scratch[row * Self.parts + column] -= value
      }
    }
    unevenness = highest - lowest
    let bias = (isLight ? Self.quantileDeviation : -Self.quantileDeviation) * noise
    // The median of a part's neighbourhood: ink may fill a part, but not most of those around it.
    for row in 0..<Self.parts {
      for column in 0..<Self.parts {
        var near = Histogram()
        for y in max(0, row - 3)..<min(Self.parts, row + 4) {
          for x in max(0, column - 3)..<min(Self.parts, column + 4) {
            near.add(UInt8(max(0, min(255, scratch[y * Self.parts + x] + 128.5))))
          }
        }
        values[row * Self.parts + column] = Float(near.median - 128) - bias
      }
    }
  }

  /// The value that stands for a part, a little of which is paper.
  private static let quantile = 0.8
  /// By how many standard deviations of its noise that of a part full of paper lies off the middle.
  private static let quantileDeviation: Float = 0.84

  private static func fill(
    _ values: UnsafeMutablePointer<Float>, _ picture: GreyPicture, quantile: Double
  ) {
    for row in 0..<parts {
      for column in 0..<parts {
        var histogram = Histogram()
        let columns = range(column, picture.width)
        for y in range(row, picture.height) {
          for x in columns { histogram.add(picture.pixels[y * picture.width + x]) }
        }
        values[row * parts + column] = Float(histogram.quantile(quantile))
      }
    }
  }

  /// The value of even paper.
  private static func even(_ picture: GreyPicture, distance: Int) -> Float? {
    var (all, edge) = (Histogram(), Histogram())
    for y in 0..<picture.height {
      let isEdge = y == 0 || y == picture.height - 1
      for x in 0..<picture.width {
        let value = picture.pixels[y * picture.width + x]
        all.add(value)
        if isEdge || x == 0 || x == picture.width - 1 { edge.add(value) }
      }
    }
    // Thick ink may be more than paper: then paper is the next most frequent.
    let first = all.peak(within: distance)
    for attempt in 0..<2 {
      let value = attempt == 0 ? first : all.peak(within: distance, awayFrom: first)
      let share = Double(all.count(within: distance, of: value)) / Double(all.total)
      let isAtEdge = 2 * edge.count(within: distance, of: value) >= edge.total
      if share >= evenShare || share >= evenShareOfTightPicture && isAtEdge {
        return all.mean(within: distance, of: value)
      }
    }
    return nil
  }

  /// The standard deviation of what is not the same from pixel to pixel, in grey levels: for Gaussian noise half of the
  /// differences between neighbours are below 0.954 of it.
  private static func noise(_ picture: GreyPicture) -> Float {
    guard picture.width > 1 else { return 0 }
    var histogram = Histogram()
    for y in 0..<picture.height {
      for x in 1..<picture.width {
        let place = y * picture.width + x
        let (one, other) = (picture.pixels[place - 1], picture.pixels[place])
        histogram.add(one > other ? one - other : other - one)
      }
    }
    return Float(histogram.median) / 0.954
  }

  /// The pixels of a part; never empty, and overlapping where there are fewer pixels than parts.
  private static func range(_ part: Int, _ size: Int) -> Range<Int> {
    let start = min(part * size / parts, size - 1)
    return start..<max(start + 1, (part + 1) * size / parts)
  }

  /// The paper at each pixel of a row: the surface, and what differs from it, between the parts' centres linear.
  func row(_ y: Int, to target: UnsafeMutablePointer<Float>) {
    let (top, bottom, down) = Self.place(y, picture.height)
    let surface = surface.row(PaperSurface.place(y, picture.height))
    for x in 0..<picture.width {
      let (left, right, along) = Self.place(x, picture.width)
      let upper = values[top * Self.parts + left] * (1 - along) + values[top * Self.parts + right] * along
      let lower =
        values[bottom * Self.parts + left] * (1 - along) + values[bottom * Self.parts + right] * along
      let across = PaperSurface.place(x, picture.width)
      let light = surface.constant + (surface.slope + surface.bend * across) * across
      target[x] = light + upper * (1 - down) + lower * down
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
