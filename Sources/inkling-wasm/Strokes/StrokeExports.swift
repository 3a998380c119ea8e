import Ink
import Inference

// What the page to draw on calls besides `Exports.swift`; draw.wasm has these, inkling.wasm does not.
//
//   let address = inkling_strokes(strokes, points)     then copy the number of points of each stroke there, 32 bits each,
//   inkling_points()                                   and x and y of each point, a float each, there
//   inkling_predict_strokes()                          the class, or below 0 why there is none; the picture that the
//                                                      network saw is at inkling_pixels()

/// How many strokes and points there are; they lie behind the network and its buffers.
private struct StrokeCounts {
  var strokes = 0
  var points = 0
}

/// Where they lie, by what the memory says now: a network that is loaded later cannot lie there.
private struct StrokeMemory {
  /// The number of points of each stroke.
  var counts: UnsafeMutableBufferPointer<Int32>
  /// x and y of each point in turn.
  var coordinates: UnsafeMutablePointer<Float>
  /// Room for `normalize` to draw in.
  var canvas: UnsafeMutablePointer<Float>

  /// Nil before a network that takes normalised ink is loaded, or if there is not enough memory.
  init?(_ count: StrokeCounts) {
    var memory = session.memory
    // The picture's size is what counts here; what it means is looked at where the page is made.
    guard session.network?.input.extent.count == NormalizedInk.count,
      let counts = memory.take(4 &* count.strokes),
      let coordinates = memory.take(8 &* count.points), let canvas = memory.take(4 &* NormalizedInk.count)
    else { return nil }
    self.counts = UnsafeMutableBufferPointer(
      start: counts.assumingMemoryBound(to: Int32.self), count: count.strokes)
    self.coordinates = coordinates.assumingMemoryBound(to: Float.self)
    self.canvas = canvas.assumingMemoryBound(to: Float.self)
  }
}

// There is one thread.
nonisolated(unsafe) private var strokeCounts = StrokeCounts()

/// Room for so many strokes with so many points in all, in place of those before: where their numbers of points go. 0
/// before a network that takes normalised ink is loaded, or if there is not enough memory.
@c(inkling_strokes)
func makeRoom(strokes: Int, points: Int) -> UnsafeMutablePointer<Int32>? {
  strokeCounts = StrokeCounts()
  let most = Int(Int32.max) / 8
  guard strokes >= 0, strokes <= most, points >= 0, points <= most,
    let memory = StrokeMemory(StrokeCounts(strokes: strokes, points: points))
  else { return nil }
  strokeCounts = StrokeCounts(strokes: strokes, points: points)
  return memory.counts.baseAddress
}

/// Where x and y of each point go, stroke after stroke.
@c(inkling_points) func points() -> UnsafeMutablePointer<Float>? { StrokeMemory(strokeCounts)?.coordinates }

/// Brings the strokes into the picture that the network takes, and classifies that: the most probable class. -1 without
/// a network or for counts that are not what was said, -2 for no point at all, -3 for a coordinate that is not finite.
@c(inkling_predict_strokes)
func predictStrokes() -> Int {
  guard let memory = StrokeMemory(strokeCounts), let pixels = session.pixels else { return -1 }
  var rest = strokeCounts.points
  for count in memory.counts {
    guard count >= 0, Int(count) <= rest else { return -1 }
    rest &-= Int(count)
  }
  do throws(DrawingError) {
    let path = StrokePath(coordinates: memory.coordinates, counts: UnsafeBufferPointer(memory.counts))
    try normalize(path, canvas: memory.canvas, to: pixels)
  } catch {
    return error == .empty ? -2 : -3
  }
  return predict()
}

/// Below this probability the answer is that there is none; 0 where every answer stands.
@c(inkling_refusal_threshold) func refusalThreshold() -> Float { session.network?.refusalThreshold ?? 0 }
