extension AugmentationScratch {
  /// Writes [height, width] bilinear samples of the frame, 0 outside the image, taken where `map`, and
  /// the elastic field added to it, point.
  ///
  /// Works on four pixels at a time, as many as a vector of the baseline instruction set holds.
  func sample(through map: AffineMap, elastic: Bool, output: UnsafeMutablePointer<Float>) {
    for y in 0..<shape.height {
      // The image begins at (1, 1) of the frame.
      ramp(from: map.xy * Float(y) + map.x + 1, step: map.xx, into: rowX)
      ramp(from: map.yy * Float(y) + map.y + 1, step: map.yx, into: rowY)
      if elastic { addField(row: y) }
      locate()
      interpolate(into: output + (y &* shape.width))
    }
  }

  /// Writes start + step · x for x from 0.
  private func ramp(from start: Float, step: Float, into row: UnsafeMutablePointer<Float>) {
    var places = SIMD4<Float>(0, 1, 2, 3)
    var x = 0
    while x < rowLength {
      (row + x).store(step * places + start)
      places += 4
      x &+= 4
    }
  }

  /// Splits `rowX` and `rowY` into `corners` and, in place, fractions.
  ///
  /// Apart from `interpolate`, although that takes the same places: each is a short chain of steps, of which
  /// the processor overlaps more than of one long chain.
  private func locate() {
    let (lastX, lastY) = (Float(shape.width &+ 1), Float(shape.height &+ 1))
    let rowStep = UInt32(truncatingIfNeeded: frameWidth)
    var x = 0
    while x < shape.width {
      let (column, right) = Self.split((rowX + x).four, last: lastX)
      let (row, down) = Self.split((rowY + x).four, last: lastY)
      (rowX + x).store(right)
      (rowY + x).store(down)
      let corner = Self.whole(row) &* rowStep &+ Self.whole(column)
      UnsafeMutableRawPointer(corners + x).storeBytes(of: corner, as: SIMD4<UInt32>.self)
      x &+= 4
    }
  }

  /// Writes one row of the output, each pixel blended from the four that `corners` and the fractions tell.
  private func interpolate(into output: UnsafeMutablePointer<Float>) {
    let (width, above, corners, rowX, rowY) = (shape.width, UnsafePointer(plane), corners, rowX, rowY)
    let below = above + frameWidth
    var x = 0
    while x < width {
      let (aboveLeft, aboveRight) = Self.neighbours(above, corners + x)
      let (belowLeft, belowRight) = Self.neighbours(below, corners + x)
      let (right, down) = ((rowX + x).four, (rowY + x).four)
      let upper = aboveLeft + right * (aboveRight - aboveLeft)
      let lower = belowLeft + right * (belowRight - belowLeft)
      let values = upper + down * (lower - upper)
      if x &+ 4 <= width {
        (output + x).store(values)
      } else {
        for lane in 0..<width &- x { output[x &+ lane] = values[lane] }
      }
      x &+= 4
    }
  }

  /// Splits coordinates into their whole part and their fraction.
  ///
  /// They are first moved to 0…`last` whatever they are, NaN included, so that all reads stay in memory.
  @inline(__always)
  private static func split(
    _ coordinates: SIMD4<Float>, last: Float
  ) -> (floor: SIMD4<Float>, fraction: SIMD4<Float>) {
    let (zero, limit) = (SIMD4<Float>(), SIMD4<Float>(repeating: last))
    let small = limit.replacing(with: coordinates, where: coordinates .< limit)
    let value = zero.replacing(with: small, where: small .> zero)
    // Between 2²³ and 2²⁴ a sum is rounded to a whole number.
    let nearest = (value + 0x1p23) - 0x1p23
    let floor = nearest - zero.replacing(with: 1, where: nearest .> value)
    return (floor, value - floor)
  }

  /// Whole numbers from 0 to below 2²³ as integers.
  ///
  /// Floats from 2²³ to 2²⁴ are the whole numbers and their low 23 bits count them; checked conversions would
  /// not become vector code.
  @inline(__always)
  private static func whole(_ values: SIMD4<Float>) -> SIMD4<UInt32> {
    unsafeBitCast(values + 0x1p23, to: SIMD4<UInt32>.self) & 0x7F_FFFF
  }

  /// The values at four places, and their right neighbours.
  ///
  /// A value is read along with its neighbour as one `Double`, which halves the reads.
  @inline(__always)
  private static func neighbours(
    _ values: UnsafePointer<Float>, _ places: UnsafeMutablePointer<UInt32>
  ) -> (left: SIMD4<Float>, right: SIMD4<Float>) {
    let first = SIMD2((values + Int(places[0])).pair, (values + Int(places[1])).pair)
    let second = SIMD2((values + Int(places[2])).pair, (values + Int(places[3])).pair)
    let all = SIMD8(
      lowHalf: unsafeBitCast(first, to: SIMD4<Float>.self),
      highHalf: unsafeBitCast(second, to: SIMD4<Float>.self))
    return (all.evenHalf, all.oddHalf)
  }
}
