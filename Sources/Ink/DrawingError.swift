/// Why there is nothing to classify.
public enum DrawingError: Error, Hashable, Sendable {
  /// No stroke with a point, or a picture of nothing but paper.
  case empty
  /// A coordinate is not a number, or infinite; strokes and points are counted from 0.
  case notFinite(stroke: Int, point: Int)
}
