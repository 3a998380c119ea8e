extension AugmentationScratch {
  /// Moves the edges of ink out by `distance` pixels, or in if it is negative.
  ///
  /// A whole pixel is a grey-scale dilation (erosion) by the cross of a pixel and its four neighbours; a
  /// fraction blends that with the image before it.
  func thicken(by distance: Float) {
    var left = abs(distance)
    while left > 0 {
      if distance > 0 {
        spread(fraction: min(left, 1)) { $0 > $1 ? $0 : $1 }
      } else {
        spread(fraction: min(left, 1)) { $0 < $1 ? $0 : $1 }
      }
      swap(&plane, &spare)
      left -= 1
    }
  }

  /// Writes to `spare` the blend of each pixel with the extreme of its neighbourhood; frames stay zero.
  @inline(__always)
  private func spread(fraction: Float, extreme: (Float, Float) -> Float) {
    let (stride, width) = (frameWidth, shape.width)
    for y in 0..<shape.height {
      let from = plane + ((y &+ 1) &* stride &+ 1)
      let to = spare + ((y &+ 1) &* stride &+ 1)
      for x in 0..<width {
        let sides = extreme(from[x &- 1], from[x &+ 1])
        let ends = extreme(from[x &- stride], from[x &+ stride])
        let target = extreme(from[x], extreme(sides, ends))
        to[x] = from[x] + fraction * (target - from[x])
      }
    }
  }
}
