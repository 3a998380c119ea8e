// Compiled on Apple platforms only, where Inkling is not tested yet.
#if canImport(PencilKit)
  import PencilKit

  extension Drawing {
    /// What was drawn on a PencilKit canvas: the paths of its strokes, without what the eraser took.
    ///
    /// - Parameters:
    ///   - drawing: a canvas's drawing.
    ///   - distance: between the points that are taken from a path, in points of the screen.
    public init(_ drawing: PKDrawing, distance: CGFloat = 2) {
      let start = drawing.strokes.map(\.path.creationDate).min()
      self.init()
      for stroke in drawing.strokes {
        let delay = start.map { stroke.path.creationDate.timeIntervalSince($0) } ?? 0
        // A stroke that the eraser cut is what remains of it, part by part.
        for range in stroke.maskedPathRanges {
          let points = stroke.path.interpolatedPoints(in: range, by: .distance(distance)).map { point in
            let place = point.location.applying(stroke.transform)
            return StrokePoint(
              x: Float(place.x), y: Float(place.y), width: Float(point.size.width),
              pressure: Float(min(1, point.force)), time: Float(1000 * (delay + point.timeOffset)))
          }
          if !points.isEmpty { strokes.append(Stroke(points: points)) }
        }
      }
    }
  }
#endif
