/// From an int32 sum to what an integer operation hands on, as `Operation.IntegerScales` states it.
///
/// Multiplication, addition and rounding are separate float32 operations, none of them fused: the same bits on every
/// machine that has IEEE 754.
struct Requantization {
  let factor: Float
  let shift: Float
  let activation: Operation.Activation
  let isStored: Bool

  init(
    _ integers: Operation.IntegerScales, weightScale: Float, bias: Float, _ activation: Operation.Activation
  ) {
    let divisor: Float = integers.output > 0 ? integers.output : 1
    factor = weightScale * integers.input / divisor
    shift = bias / divisor
    self.activation = activation
    isStored = integers.output > 0
  }

  /// Writes `count` values from index `start` on, as bytes or as floats.
  func run(_ sums: UnsafePointer<Int32>, count: Int, to target: UnsafeMutableRawPointer, from start: Int) {
    if isStored {
      let bytes = target.assumingMemoryBound(to: UInt8.self) + start
      for index in 0..<count { bytes[index] = Self.byte(Float(sums[index]) * factor + shift) }
    } else {
      let floats = target.assumingMemoryBound(to: Float.self) + start
      for index in 0..<count { floats[index] = activation(Float(sums[index]) * factor + shift) }
    }
  }

  /// Rounded half to even, limited to 0...127; NaN becomes 0. Whatever is below 0 is 0, so ReLU needs no step of its
  /// own; other activations have negative values and are handed on as floats.
  static func byte(_ value: Float) -> UInt8 {
    guard value > 0 else { return 0 }
    guard value < 127 else { return 127 }
    // Adding 1.5 · 2^23 leaves no room for a fraction: the addition rounds.
    return UInt8((value + 12_582_912) - 12_582_912)
  }
}
