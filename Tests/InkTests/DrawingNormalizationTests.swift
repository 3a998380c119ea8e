import Ink
import Testing

/// Strokes become the same picture wherever they lie and however large they are.
struct DrawingNormalizationTests {
  private static let seven: [[(Float, Float)]] = [[(0, 0), (200, 0), (80, 320)]]

  private func drawing(_ strokes: [[(Float, Float)]], scale: Float = 1, x: Float = 0, y: Float = 0) -> Drawing
  {
    Drawing(
      strokes: strokes.map { points in
        Stroke(points: points.map { StrokePoint(x: $0.0 * scale + x, y: $0.1 * scale + y) })
      })
  }

  /// The rows and columns with ink in them.
  private func box(_ pixels: [UInt8]) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
    let rows = (0..<28).filter { row in pixels[row * 28..<row * 28 + 28].contains { $0 > 0 } }
    let columns = (0..<28).filter { column in (0..<28).contains { pixels[$0 * 28 + column] > 0 } }
    guard let top = rows.first, let bottom = rows.last, let left = columns.first, let right = columns.last
    else {
      return nil
    }
    return (top...bottom, left...right)
  }

  private func centre(_ pixels: [UInt8]) -> (x: Double, y: Double) {
    let mass = pixels.reduce(0.0) { $0 + Double($1) }
    return (
      pixels.indices.reduce(0) { $0 + Double(pixels[$1]) * Double($1 % 28) } / mass,
      pixels.indices.reduce(0) { $0 + Double(pixels[$1]) * Double($1 / 28) } / mass
    )
  }

  @Test(
    arguments: [(1, 0, 0), (1e-4, 0, 0), (5e6, 0, 0), (1, -700, -900), (0.25, 1e4, 3)]
      as [(Float, Float, Float)])
  func sizeAndPlaceDoNotMatter(scale: Float, x: Float, y: Float) throws {
    let expected = try drawing(Self.seven).normalized()
    let found = try drawing(Self.seven, scale: scale, x: x, y: y).normalized()
    // Coordinates themselves are rounded: a few of 255 levels at an edge.
    #expect(zip(expected, found).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
  }

  @Test func inkLiesAsInMNIST() throws {
    let pixels = try drawing(Self.seven).normalized()
    let box = try #require(box(pixels))
    #expect(box.rows.count <= 21 && box.columns.count <= 21 && box.rows.count >= 20)
    let centre = centre(pixels)
    #expect(abs(centre.x - 14) < 0.1 && abs(centre.y - 14) < 0.1)
    #expect(pixels.max() == 255)
  }

  @Test func aLineIsALine() throws {
    let across = try drawing([[(10, 900), (600, 900)]]).normalized()
    let down = try drawing([[(900, 10), (900, 600)]]).normalized()
    let (wide, high) = (try #require(box(across)), try #require(box(down)))
    #expect(wide.columns.count >= 20 && wide.rows.count <= 5)
    #expect(high.rows.count >= 20 && high.columns.count <= 5)
    // One is the other on its side.
    #expect((0..<784).allSatisfy { across[$0] == down[$0 % 28 * 28 + $0 / 28] })
  }

  @Test func aDotIsADotHoweverOftenItIsThere() throws {
    let one = try drawing([[(50, 50)]]).normalized()
    #expect(try drawing([[(50, 50), (50, 50), (50, 50)], []]).normalized() == one)
    let box = try #require(box(one))
    #expect((3...5).contains(box.rows.count) && (3...5).contains(box.columns.count))
  }

  @Test func whatIsNoDrawingIsSaid() {
    #expect(throws: DrawingError.empty) { try Drawing().normalized() }
    #expect(throws: DrawingError.empty) { try self.drawing([[], []]).normalized() }
    #expect(throws: DrawingError.notFinite(stroke: 1, point: 2)) {
      try self.drawing([[(0, 0)], [(0, 0), (1, 1), (.nan, 5)]]).normalized()
    }
    #expect(throws: DrawingError.notFinite(stroke: 0, point: 0)) {
      try self.drawing([[(.infinity, 0)]]).normalized()
    }
  }

  @Test func extremesDoNotOverflow() throws {
    let largest = Float.greatestFiniteMagnitude
    let huge = try drawing([[(-largest, -largest), (largest, -largest), (0, largest)]]).normalized()
    #expect(huge.contains(255))
    let tiny = Float.leastNonzeroMagnitude
    #expect(try drawing([[(0, 0), (tiny, 0), (0, tiny)]]).normalized().contains(255))
  }

  /// Golden numbers: the same bits natively and in WebAssembly, which runs this very code.
  @Test func theBitsAreAlwaysTheSame() throws {
    let pixels = try drawing(Self.seven).normalized()
    var hash: UInt32 = 2_166_136_261
    for pixel in pixels { hash = (hash ^ UInt32(pixel)) &* 16_777_619 }
    #expect(hash == 0)
  }
}
