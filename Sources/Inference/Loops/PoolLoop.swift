/// The largest value of each window.
func maximumPool<Value: Comparable>(
  _ window: Operation.Window, _ step: Step, _ source: UnsafePointer<Value>,
  to target: UnsafeMutablePointer<Value>
) {
  forEachWindow(window, step) { from, to in
    var largest = source[from]
    for y in 0..<window.height {
      for x in 0..<window.width {
        let value = source[from &+ y &* step.input.width &+ x]
        largest = value > largest ? value : largest
      }
    }
    target[to] = largest
  }
}

/// The mean of each window.
@inline(never) func averagePool(
  _ window: Operation.Window, _ step: Step, _ source: UnsafePointer<Float>,
  to target: UnsafeMutablePointer<Float>
) {
  let count = Float(window.height &* window.width)
  forEachWindow(window, step) { from, to in
    var sum: Float = 0
    for y in 0..<window.height {
      for x in 0..<window.width { sum += source[from &+ y &* step.input.width &+ x] }
    }
    target[to] = sum / count
  }
}

/// Calls `body` with the index of each window's first value and of its output.
private func forEachWindow(_ window: Operation.Window, _ step: Step, _ body: (_ from: Int, _ to: Int) -> Void)
{
  var to = 0
  for channel in 0..<step.output.channels {
    for y in 0..<step.output.height {
      var from = (channel &* step.input.height &+ y &* window.down) &* step.input.width
      for _ in 0..<step.output.width {
        body(from, to)
        from &+= window.across
        to &+= 1
      }
    }
  }
}

/// Each channel times its scale plus its shift, in place.
func affine(
  _ scales: WeightTensor, _ shifts: WeightTensor, _ extent: Extent3, _ values: UnsafeMutablePointer<Float>
) {
  for channel in 0..<extent.channels {
    let scale = scales.singleNumber(channel, 0) * scales.scale(of: channel)
    let shift = shifts.singleNumber(channel, 0) * shifts.scale(of: channel)
    let plane = values + channel &* extent.planeCount
    for place in 0..<extent.planeCount { plane[place] = plane[place] * scale + shift }
  }
}
