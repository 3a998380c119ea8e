/// The part of an ink map with ink in it, as large as the distance field takes it.
struct InkCut {
  /// Points of the field along the longer side of the ink; there is room for wider strokes around it.
  static let length: Float = 144

  private let components: Components
  private let bounds: Component
  /// Pixels of the map from one point of the field to the next.
  private let step: Float
  /// Points of the field that the ink covers along each axis.
  let width: Float
  let height: Float

  /// - Parameter bounds: a box; groups within that belong to another digit than it does are left out.
  init(_ components: Components, _ bounds: Component) {
    self.components = components
    self.bounds = bounds
    step = Float(max(bounds.width, bounds.height)) / Self.length
    width = Float(bounds.width) / step
    height = Float(bounds.height) / step
  }

  /// Where the ink begins in the field.
  var left: Float { (Float(DistanceField.side) - width) / 2 }
  var top: Float { (Float(DistanceField.side) - height) / 2 }

  /// Marks each point of the field that lies on a stroke.
  func sample(to isInk: UnsafeMutablePointer<UInt8>) {
    for y in 0..<DistanceField.side {
      let row = Float(bounds.top) + (Float(y) + 0.5 - top) * step
      for x in 0..<DistanceField.side {
        let column = Float(bounds.left) + (Float(x) + 0.5 - left) * step
        let value = step > 1.5 ? mean(column, row) : interpolated(column, row)
        isInk[y * DistanceField.side + x] = value >= Float(InkMap.threshold) ? 1 : 0
      }
    }
  }

  private func pixel(_ x: Int, _ y: Int) -> Float {
    guard x >= bounds.left - 1, x <= bounds.right + 1, y >= bounds.top - 1, y <= bounds.bottom + 1, x >= 0,
      y >= 0,
      x < components.map.width, y < components.map.height
    else { return 0 }
    let place = y * components.map.width + x
    let label = Int(components.labels[place])
    if label >= 0, components.groups[label].digit != bounds.digit { return 0 }
    return Float(components.map.pixels[place])
  }

  /// Linear between the centres of pixels.
  private func interpolated(_ x: Float, _ y: Float) -> Float {
    // Shifted so that rounding towards zero rounds down.
    let (x, y) = (x - 0.5 + 2, y - 0.5 + 2)
    guard x >= 0, y >= 0 else { return 0 }
    let (left, top) = (Int(x), Int(y))
    let (along, down) = (x - Float(left), y - Float(top))
    let upper = pixel(left - 2, top - 2) * (1 - along) + pixel(left - 1, top - 2) * along
    let lower = pixel(left - 2, top - 1) * (1 - along) + pixel(left - 1, top - 1) * along
    return upper * (1 - down) + lower * down
  }

  /// Of the pixels around, as many as there are to a point: the strongest row's mean would lose thin lines, so the largest.
  private func mean(_ x: Float, _ y: Float) -> Float {
    let reach = step / 2
    guard x + reach >= 0, y + reach >= 0 else { return 0 }
    var most: Float = 0
    // Within the box: a long thin line has points that cover thousands of rows of nothing.
    var row = max(bounds.top - 1, Int(max(0, y - reach)))
    while row <= min(bounds.bottom + 1, Int(y + reach)) {
      var column = max(bounds.left - 1, Int(max(0, x - reach)))
      while column <= min(bounds.right + 1, Int(x + reach)) {
        most = max(most, pixel(column, row))
        column += 1
      }
      row += 1
    }
    return most
  }
}
