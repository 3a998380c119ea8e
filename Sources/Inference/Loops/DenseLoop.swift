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
      var sum: Float = 0
      switch weights.type {
      case .float32:
        for column in 0..<inputs { sum += weights.float(at: output &* inputs &+ column) * source[column] }
      case .float16, .int8, .int4:
        for column in 0..<inputs { sum += weights.number(output, column) * source[column] }
      }
      let shift = bias.map { $0.number(output, 0) } ?? 0
      target[output] = operation.activation(sum * weights.scale(of: output) + shift)
    }
  }

  func run(
    _ integers: Operation.IntegerScales, _ source: UnsafePointer<UInt8>, to target: UnsafeMutableRawPointer
  ) {
    for output in 0..<operation.outputs {
      var sum: Int32 = 0
      for column in 0..<inputs { sum &+= weights.integer(output, column) &* Int32(source[column]) }
      Requantization(
        integers, weightScale: weights.scale(of: output), bias: bias.map { $0.number(output, 0) } ?? 0,
        operation.activation
      ).run(&sum, count: 1, to: target, from: output)
    }
  }
}
