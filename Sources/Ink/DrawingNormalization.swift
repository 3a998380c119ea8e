// From strokes to the picture that a network takes. How wide, large and far off the drawing is does not matter: its lines
// are drawn anew, as wide as MNIST's.

/// Where strokes lie in memory: their points one after another.
public struct StrokePath {
  /// x and y of each point in turn.
  let coordinates: UnsafePointer<Float>
  /// The points of each stroke.
  let counts: UnsafeBufferPointer<Int32>

  /// - Parameters:
  ///   - coordinates: x and y of each point in turn, all strokes one after another, y down.
  ///   - counts: how many points each stroke has, none below 0.
  public init(coordinates: UnsafePointer<Float>, counts: UnsafeBufferPointer<Int32>) {
    self.coordinates = coordinates
    self.counts = counts
  }
}

/// The smallest box around points.
private struct Bounds {
  var (left, top) = (Double.infinity, Double.infinity)
  var (right, bottom) = (-Double.infinity, -Double.infinity)

  mutating func include(_ x: Double, _ y: Double) {
    (left, right) = (min(left, x), max(right, x))
    (top, bottom) = (min(top, y), max(bottom, y))
  }
}

/// Brings strokes into the picture that networks take; see `NormalizedInk`.
///
/// Throws a `DrawingError` for no point at all and for one that is not finite. A dot becomes a dot, a line one of 20
/// pixels. Takes 35 µs for a digit of a hundred points.
///
/// - Parameters:
///   - path: the strokes.
///   - canvas: 784 floats to work in.
///   - pixels: 28 × 28 bytes, which are written.
public func normalize(
  _ path: StrokePath, canvas: UnsafeMutablePointer<Float>, to pixels: UnsafeMutablePointer<UInt8>
) throws(DrawingError) {
  let bounds = try path.bounds()
  let rasterizer = Rasterizer(canvas: canvas, side: NormalizedInk.side, radius: NormalizedInk.radius)
  // Double, so that neither huge nor tiny coordinates lose what tells them apart.
  let extent = max(bounds.right - bounds.left, bounds.bottom - bounds.top)
  let room = Double(NormalizedInk.box - 2 * NormalizedInk.radius)
  let scale = extent > 0 ? room / extent : 0
  // First the middle of the box in the middle of the picture, then the centre of mass.
  var shiftX = Double(NormalizedInk.centre) - (bounds.left / 2 + bounds.right / 2 - bounds.left) * scale
  var shiftY = Double(NormalizedInk.centre) - (bounds.top / 2 + bounds.bottom / 2 - bounds.top) * scale
  for pass in 0..<2 {
    rasterizer.clear()
    path.forEachLine { (x0, y0, x1, y1) in
      rasterizer.draw(
        from: (
          Float((Double(x0) - bounds.left) * scale + shiftX),
          Float((Double(y0) - bounds.top) * scale + shiftY)
        ),
        to: (
          Float((Double(x1) - bounds.left) * scale + shiftX),
          Float((Double(y1) - bounds.top) * scale + shiftY)
        ))
    }
    // Adding 2^23 rounds half to even.
    for index in 0..<NormalizedInk.count {
      pixels[index] = UInt8((canvas[index] * 255 + 8_388_608) - 8_388_608)
    }
    if pass == 0, let mass = NormalizedInk.centreOfMass(pixels) {
      shiftX += Double(NormalizedInk.shift(from: mass.x))
      shiftY += Double(NormalizedInk.shift(from: mass.y))
    }
  }
}

extension StrokePath {
  fileprivate func bounds() throws(DrawingError) -> Bounds {
    var bounds = Bounds()
    var point = 0
    for stroke in 0..<counts.count {
      for index in 0..<Int(counts[stroke]) {
        let (x, y) = (coordinates[2 &* point], coordinates[2 &* point &+ 1])
        guard x.isFinite, y.isFinite else { throw .notFinite(stroke: stroke, point: index) }
        bounds.include(Double(x), Double(y))
        point &+= 1
      }
    }
    guard point > 0 else { throw .empty }
    return bounds
  }

  /// Calls `body` with the ends of each line; a stroke of one point is one from there to there.
  fileprivate func forEachLine(_ body: (_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float) -> Void) {
    var next = coordinates
    for count in counts where count > 0 {
      var last = next
      for _ in 0..<max(1, count - 1) {
        if count > 1 { next += 2 }
        body(last[0], last[1], next[0], next[1])
        last = next
      }
      next += 2
    }
  }
}

extension Drawing {
  /// The picture that networks take: 28 × 28 bytes, ink high; see `NormalizedInk`.
  ///
  /// Throws a `DrawingError` for no point at all and for one that is not finite.
  public func normalized() throws(DrawingError) -> [UInt8] {
    let coordinates = strokes.flatMap { $0.points.flatMap { [$0.x, $0.y] } }
    let counts = strokes.map { Int32(truncatingIfNeeded: $0.points.count) }
    var canvas = [Float](repeating: 0, count: NormalizedInk.count)
    var pixels = [UInt8](repeating: 0, count: NormalizedInk.count)
    var failure: DrawingError?
    coordinates.withUnsafeBufferPointer { coordinates in
      counts.withUnsafeBufferPointer { counts in
        // An empty array has no address; nor is a point read then.
        guard let start = coordinates.baseAddress else { return failure = .empty }
        do throws(DrawingError) {
          try normalize(StrokePath(coordinates: start, counts: counts), canvas: &canvas, to: &pixels)
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    return pixels
  }
}
