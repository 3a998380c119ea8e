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
    for output in 0..<operation.outputs {
      // Floats as they are have a loop of their own, without a question in it.
      let sums =
        weights.type == .float32
        ? sums(source) { weights.eightFloats(output, $0) } : sums(source) { weights.eightNumbers(output, $0) }
      let four = sums.lowHalf + sums.highHalf
      let two = four.lowHalf + four.highHalf
      var sum = two.x + two.y
      for column in inputs & ~7..<inputs { sum += weights.singleNumber(output, column) * source[column] }
      let shift = bias.map { $0.singleNumber(output, 0) } ?? 0
      target[output] = operation.activation(sum * weights.scale(of: output) + shift)
    }
  }

  /// Eight sums, each over every eighth input, up to the last multiple of eight.
  @inline(__always) private func sums(
    _ source: UnsafePointer<Float>, _ weights: (_ column: Int) -> SIMD8<Float>
  ) -> SIMD8<Float> {
    var sums = SIMD8<Float>()
    var column = 0
    while column &+ 8 <= inputs {
      sums += weights(column) * UnsafeRawPointer(source + column).loadUnaligned(as: SIMD8<Float>.self)
      column &+= 8
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
      while column &+ 8 <= inputs {
        let pixels = UnsafeRawPointer(source + column).loadUnaligned(as: SIMD8<UInt8>.self)
        // A byte times a signed byte fits 16 bits.
        let products =
          SIMD8<Int16>(truncatingIfNeeded: pixels)
          &* SIMD8<Int16>(truncatingIfNeeded: weights.eightIntegers(output, column))
        sums &+= SIMD8<Int32>(truncatingIfNeeded: products)
        column &+= 8
      }
      var sum = sums.wrappedSum()
      while column < inputs {
        sum &+= weights.singleInteger(output, column) &* Int32(source[column])
        column &+= 1
      }
      let value = Float(Int(sum)) * rule.factor(weightScale: weights.scale(of: output))
      rule.store(
        value + rule.shift(bias: bias.map { $0.singleNumber(output, 0) } ?? 0), to: target, at: output)
    }
  }
}
