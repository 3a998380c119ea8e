/// For each point of a square grid how far it lies from the edge of the strokes: above 0 inside them, below 0 outside.
///
/// Distances are Euclidean and exact, in two passes of parabolas: Felzenszwalb and Huttenlocher, "Distance transforms of
/// sampled functions", Theory of Computing 8, 2012.
struct DistanceField {
  /// Points along each side.
  static let side = 192

  /// [side, side].
  let distances: UnsafeMutablePointer<Float>

  /// What the transform works in: another grid, a line, and the lower envelope of a line's parabolas.
  struct Scratch {
    let grid: UnsafeMutablePointer<Float>
    let line: UnsafeMutablePointer<Float>
    let places: UnsafeMutablePointer<Int32>
    let starts: UnsafeMutablePointer<Float>
  }

  /// - Parameter isInk: [side, side], other than 0 inside strokes; neither all 0 nor none.
  init(_ isInk: UnsafePointer<UInt8>, distances: UnsafeMutablePointer<Float>, _ scratch: Scratch) {
    self.distances = distances
    let count = Self.side * Self.side
    Self.transform(isInk, to: true, distances, scratch)
    Self.transform(isInk, to: false, scratch.grid, scratch)
    // The edge lies half a point from the last one on either side.
    for index in 0..<count {
      let (outside, inside) = (distances[index].squareRoot(), scratch.grid[index].squareRoot())
      distances[index] = isInk[index] != 0 ? inside - 0.5 : 0.5 - outside
    }
  }

  /// Half the mean width of the strokes: in a stroke of half width r the mean distance from the edge is r / 2.
  func radius(_ isInk: UnsafePointer<UInt8>) -> Float {
    var (sum, count) = (Float(0), Float(0))
    for index in 0..<Self.side * Self.side where isInk[index] != 0 {
      sum += distances[index]
      count += 1
    }
    return count > 0 ? 2 * sum / count : 0
  }

  /// The distance at a place between points, linear in between.
  func value(x: Float, y: Float) -> Float {
    let most = Float(Self.side - 1)
    let (x, y) = (max(0, min(most - 0.001, x)), max(0, min(most - 0.001, y)))
    let (left, top) = (Int(x), Int(y))
    let (along, down) = (x - Float(left), y - Float(top))
    let place = distances + (top * Self.side + left)
    let upper = place[0] * (1 - along) + place[1] * along
    let lower = place[Self.side] * (1 - along) + place[Self.side + 1] * along
    return upper * (1 - down) + lower * down
  }

  private static let far: Float = 1e6

  /// The squared distance of each point to the nearest one that is ink, or that is none.
  private static func transform(
    _ isInk: UnsafePointer<UInt8>, to ink: Bool, _ grid: UnsafeMutablePointer<Float>, _ scratch: Scratch
  ) {
    for index in 0..<side * side { grid[index] = (isInk[index] != 0) == ink ? 0 : far }
    for line in 0..<side { transform(grid + line, step: side, scratch) }
    for line in 0..<side { transform(grid + line * side, step: 1, scratch) }
  }

  /// Of a line the lower envelope of the parabolas that stand on its points.
  private static func transform(_ values: UnsafeMutablePointer<Float>, step: Int, _ scratch: Scratch) {
    let (line, places, starts) = (scratch.line, scratch.places, scratch.starts)
    for index in 0..<side { line[index] = values[index * step] }
    var last = 0
    places[0] = 0
    starts[0] = -far
    starts[1] = far
    for index in 1..<side {
      var start = crossing(line, Int(places[last]), index)
      while last > 0, start <= starts[last] {
        last -= 1
        start = crossing(line, Int(places[last]), index)
      }
      last += 1
      places[last] = Int32(index)
      starts[last] = start
      starts[last + 1] = far
    }
    last = 0
    for index in 0..<side {
      while starts[last + 1] < Float(index) { last += 1 }
      let apart = Float(index - Int(places[last]))
      values[index * step] = apart * apart + line[Int(places[last])]
    }
  }

  /// Where the parabola on point `second` gets below that on `first`.
  private static func crossing(_ line: UnsafeMutablePointer<Float>, _ first: Int, _ second: Int) -> Float {
    let (a, b) = (Float(first), Float(second))
    return ((line[second] + b * b) - (line[first] + a * a)) / (2 * (b - a))
  }
}
