#if INKLING_KERNELS
  /// From [row][column][channel] to [channel][row][column].
  func makePlanar<Value>(
    _ extent: Extent3, _ source: UnsafePointer<Value>, to target: UnsafeMutablePointer<Value>
  ) {
    for channel in 0..<extent.channels {
      let plane = target + channel * extent.planeCount
      for place in 0..<extent.planeCount { plane[place] = source[place &* extent.channels &+ channel] }
    }
  }

  /// The largest byte of each window, in images pixel by pixel.
  func maximumPool(
    _ window: Operation.Window, _ step: Step, interleaved source: UnsafePointer<UInt8>,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let (channels, pitch) = (step.input.channels, step.input.width * step.input.channels)
    for y in 0..<step.output.height {
      for x in 0..<step.output.width {
        let first = source + (y * window.down * pitch + x * window.across * channels)
        let best = target + (y * step.output.width + x) * channels
        best.update(from: first, count: channels)
        for row in 0..<window.height {
          for column in 0..<window.width {
            let other = first + (row * pitch + column * channels)
            for channel in 0..<channels { best[channel] = max(best[channel], other[channel]) }
          }
        }
      }
    }
  }
#endif
