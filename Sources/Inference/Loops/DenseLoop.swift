/// The plain loops of a dense layer.
struct DenseLoop {
  private let operation: Operation.Dense
  private let inputs: Int
  private let weights: WeightTensor
  private let bias: WeightTensor?

  init(_ operation: Operation.Dense, inputs: Int, _ weights: WeightTensor, _ bias: WeightTensor?) {
    self.operation = operation
    self.inputs = inputs
    self.weights = weights
    self.bias = bias
  }

  func run(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    // Four outputs at once, since each addition waits for the one before it in the same sum.
    for first in stride(from: 0, to: operation.outputs, by: 4) {
      let sums =
        weights.type == .float32
        ? sums(first, source) { weights.float(at: $0 &* inputs &+ $1) }
        : sums(first, source) { weights.number($0, $1) }
      for output in first..<min(first &+ 4, operation.outputs) {
        let sum = sums[output &- first] * weights.scale(of: output)
        target[output] = operation.activation(sum + (bias.map { $0.singleNumber(output, 0) } ?? 0))
      }
    }
  }

  /// The sums over the inputs of four outputs; behind the last output that one again.
  @inline(__always) private func sums(
    _ first: Int, _ source: UnsafePointer<Float>, _ weight: (_ row: Int, _ column: Int) -> Float
  ) -> SIMD4<Float> {
    let last = operation.outputs &- 1
    let (second, third, fourth) = (min(first &+ 1, last), min(first &+ 2, last), min(first &+ 3, last))
    var sums = SIMD4<Float>()
    for column in 0..<inputs {
      sums +=
        source[column]
        * SIMD4(weight(first, column), weight(second, column), weight(third, column), weight(fourth, column))
    }
    return sums
  }

  func run(
    _ integers: Operation.IntegerScales, _ source: UnsafePointer<UInt8>, to target: UnsafeMutableRawPointer
  ) {
    let rule = Requantization(integers, operation.activation)
    for output in 0..<operation.outputs {
      var column = 0
      var sums = SIMD8<Int32>()
      if weights.type == .int8 {
        while column &+ 8 <= inputs {
          let pixels = UnsafeRawPointer(source + column).loadUnaligned(as: SIMD8<UInt8>.self)
          // A byte times a signed byte fits 16 bits.
          let products =
            SIMD8<Int16>(truncatingIfNeeded: pixels)
            &* SIMD8<Int16>(truncatingIfNeeded: weights.eightIntegers(output, column))
          sums &+= SIMD8<Int32>(truncatingIfNeeded: products)
          column &+= 8
        }
      }
      var sum = sums.wrappedSum()
      while column < inputs {
        sum &+= weights.integer(output, column) &* Int32(source[column])
        column &+= 1
      }
      let value = Float(Int(sum)) * rule.factor(weightScale: weights.scale(of: output))
      rule.store(
        value + rule.shift(bias: bias.map { $0.singleNumber(output, 0) } ?? 0), to: target, at: output)
    }
  }
}
