/// From an int32 sum to what an integer operation hands on, as `Operation.IntegerScales` states it.
///
/// Multiplication, addition and rounding are separate float32 operations, none of them fused: the same bits on every
/// machine that has IEEE 754. `Float(Int(sum)) * factor + shift` is written where the sums are.
///
/// Whole numbers become floats by way of `Int`: from other types Embedded Swift makes a long detour of it.
struct Requantization {
  private let integers: Operation.IntegerScales
  private let activation: Operation.Activation
  /// Whether bytes are handed on rather than floats.
  var isStored: Bool { integers.output > 0 }
  private var divisor: Float { isStored ? integers.output : 1 }

  init(_ integers: Operation.IntegerScales, _ activation: Operation.Activation) {
    self.integers = integers
    self.activation = activation
  }

  func factor(weightScale: Float) -> Float { weightScale * integers.input / divisor }

  func shift(bias: Float) -> Float { bias / divisor }

  /// Writes `sum · factor + shift` at an index, as a byte or as a float.
  func store(_ value: Float, to target: UnsafeMutableRawPointer, at index: Int) {
    if isStored {
      target.assumingMemoryBound(to: UInt8.self)[index] = Self.byte(value)
    } else {
      target.assumingMemoryBound(to: Float.self)[index] = activation(value)
    }
  }

  /// Rounded half to even, limited to 0...127; NaN becomes 0. Whatever is below 0 is 0, so ReLU needs no step of its
  /// own; other activations have negative values and are handed on as floats.
  static func byte(_ value: Float) -> UInt8 {
    guard value > 0 else { return 0 }
    guard value < 127 else { return 127 }
    // Adding 1.5 · 2^23 leaves no room for a fraction: the addition rounds, and the whole number is in the low bits.
    return UInt8(truncatingIfNeeded: (value + 12_582_912).bitPattern)
  }
}
