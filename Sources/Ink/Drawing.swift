/// What a pen drew: strokes of points, in any unit, with y pointing down.
///
/// ```swift
/// let seven = Drawing(strokes: [Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 9, y: 0), StrokePoint(x: 3, y: 14)])])
/// let pixels = try seven.normalized()
/// ```
public struct Drawing: Hashable, Sendable {
  public var strokes: [Stroke]

  public init(strokes: [Stroke] = []) {
    self.strokes = strokes
  }
}

/// One movement of the pen from where it touches to where it is lifted.
public struct Stroke: Hashable, Sendable {
  public var points: [StrokePoint]

  public init(points: [StrokePoint] = []) {
    self.points = points
  }
}

/// Where the pen was.
public struct StrokePoint: Hashable, Sendable {
  public var x: Float
  public var y: Float
  /// How wide the line was here, in the unit of x and y.
  public var width: Float?
  /// 0 to 1.
  public var pressure: Float?
  /// Milliseconds since the first point of the drawing.
  public var time: Float?

  public init(x: Float, y: Float, width: Float? = nil, pressure: Float? = nil, time: Float? = nil) {
    self.x = x
    self.y = y
    self.width = width
    self.pressure = pressure
    self.time = time
  }
}
