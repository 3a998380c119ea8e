/// Draws lines with round caps and joins into a picture of coverage, anti-aliased.
///
/// A pixel's coverage is taken from the distance d of its centre to the line: 1 within the line's half width less half a
/// pixel, 0 beyond it plus half a pixel, linear between. Where lines meet the larger coverage counts. Only operations
/// that IEEE 754 rounds in one way are used, none of them fused: the same bits on every machine.
struct Rasterizer {
  /// [side, side], 0 to 1.
  let canvas: UnsafeMutablePointer<Float>
  let side: Int
  /// Half the width of lines, in pixels.
  let radius: Float

  func clear() {
    for index in 0..<side * side { canvas[index] = 0 }
  }

  /// A line between two points, in pixels whose centres are at 0, 1, …; a dot where they are the same.
  func draw(from a: (x: Float, y: Float), to b: (x: Float, y: Float)) {
    let reach = radius + 0.5
    let rows = pixels(from: min(a.y, b.y) - reach, to: max(a.y, b.y) + reach)
    let columns = pixels(from: min(a.x, b.x) - reach, to: max(a.x, b.x) + reach)
    let (along, down) = (b.x - a.x, b.y - a.y)
    let squaredLength = along * along + down * down
    for row in rows {
      let y = Float(row) - a.y
      for column in columns {
        let x = Float(column) - a.x
        // How far along the line its nearest point lies, 0 to 1.
        var share: Float = 0
        if squaredLength > 0 {
          let projection = (x * along + y * down) / squaredLength
          share = projection > 0 ? (projection < 1 ? projection : 1) : 0
        }
        let (right, below) = (x - share * along, y - share * down)
        let coverage = reach - (right * right + below * below).squareRoot()
        let place = row &* side &+ column
        if coverage > canvas[place] { canvas[place] = coverage < 1 ? coverage : 1 }
      }
    }
  }

  private func pixels(from first: Float, to last: Float) -> Range<Int> {
    let low = first > 0 ? Int(first) : 0
    let high = last < Float(side - 1) ? Int(last + 1) : side - 1
    return low <= high ? low..<high + 1 : low..<low
  }
}
