/// `e^x` of each value over the sum of all, in place; the largest value is subtracted first, so nothing overflows.
func softmax(_ values: UnsafeMutablePointer<Float>, count: Int) {
  var largest = values[0]
  for index in 1..<max(1, count) where values[index] > largest { largest = values[index] }
  var sum: Float = 0
  for index in 0..<count {
    values[index] = exponential(values[index] - largest)
    sum += values[index]
  }
  for index in 0..<count { values[index] = values[index] / sum }
}

/// `e^x` for x <= 0, within 2e-7 of its value; below -87, where it is smaller than any normal number, 0.
///
/// `e^x = 2^n · e^r` with n the integer nearest to x / ln 2 and |r| <= ln 2 / 2; e^r by Taylor's series to the seventh
/// power, whose rest is below 1e-8. Its own, since bare metal has no libm, and the same bits everywhere.
func exponential(_ x: Float) -> Float {
  guard x > -87 else { return x == x ? 0 : x }
  // Adding 1.5 · 2^23 rounds to an integer, which then is in the low bits.
  let rounded = x * 1.442_695_04 + 12_582_912
  let n = rounded - 12_582_912
  // ln 2 in two parts, the first with few enough bits for its product with n to be exact (Cody and Waite).
  let r = (x - n * 0.693_359_375) + n * 2.121_944_4e-4
  var power: Float = 1.0 / 5040
  power = power * r + 1.0 / 720
  power = power * r + 1.0 / 120
  power = power * r + 1.0 / 24
  power = power * r + 1.0 / 6
  power = power * r + 0.5
  power = power * r + 1
  power = power * r + 1
  return power * Float(bitPattern: (rounded.bitPattern &+ 127) << 23)
}
