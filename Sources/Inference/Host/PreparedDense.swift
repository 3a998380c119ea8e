#if INKLING_KERNELS
  import Kernels

  /// A dense layer with its weights in aligned rows of whole vectors, in as short a form as the kernels take.
  struct PreparedDense {
    private let operation: Operation.Dense
    private let count: Int
    /// The inputs with the zeros that fill them up.
    let inputs: Int
    private let type: TensorType
    private let weights: UnsafeRawPointer
    private let scales: UnsafePointer<Float>
    private let bias: UnsafePointer<Float>

    var outputs: Int { operation.outputs }
    var multiplyAdds: Int { operation.outputs * count }

    /// The bytes that the weights, scales and bias take in the longest form.
    static func byteCount(_ operation: Operation.Dense, _ type: TensorType, inputs: Int) -> Int {
      operation.outputs * (4 * padded(inputs) + 8)
    }

    private static func padded(_ inputs: Int) -> Int {
      let step = Int(INKLING_DENSE_STEP)
      return (inputs + step - 1) / step * step
    }

    init(_ operation: Operation.Dense, _ step: Step, _ network: PreparedNetwork) {
      self.operation = operation
      count = step.input.count
      let (count, inputs) = (self.count, Self.padded(self.count))
      self.inputs = inputs
      let tensor = network.network.tensor(operation.weights)
      let outputs = operation.outputs
      switch tensor.type {
      case .float16 where network.kernels.hasHalf != 0:
        type = .float16
        let target = network.take(outputs * inputs, of: UInt16.self)
        for row in 0..<outputs {
          for column in 0..<inputs {
            target[row * inputs + column] = column < count ? tensor.half(row, column) : 0
          }
        }
        weights = UnsafeRawPointer(target)
      case .int8, .int4:
        type = .int8
        let target = network.take(outputs * inputs, of: Int8.self)
        for row in 0..<outputs {
          for column in 0..<inputs {
            target[row * inputs + column] =
              column < count ? Int8(truncatingIfNeeded: tensor.integer(row, column)) : 0
          }
        }
        weights = UnsafeRawPointer(target)
      case .float32, .float16:
        type = .float32
        let target = network.take(outputs * inputs, of: Float.self)
        for row in 0..<outputs {
          for column in 0..<inputs {
            target[row * inputs + column] = column < count ? tensor.number(row, column) : 0
          }
        }
        weights = UnsafeRawPointer(target)
      }
      let (scales, bias) = (network.take(outputs, of: Float.self), network.take(outputs, of: Float.self))
      for row in 0..<outputs {
        scales[row] = tensor.scale(of: row)
        bias[row] =
          operation.bias == InkFormat.noTensor ? 0 : network.network.tensor(operation.bias).number(row, 0)
      }
      self.scales = UnsafePointer(scales)
      self.bias = UnsafePointer(bias)
    }

    func run(
      _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
      workspace: UnsafeMutablePointer<Float>, _ kernels: InklingKernels
    ) {
      var input = source
      if inputs != count {
        workspace.update(from: source, count: count)
        (workspace + count).update(repeating: 0, count: inputs - count)
        input = UnsafePointer(workspace)
      }
      var job = InklingDense(
        outputs: operation.outputs, inputs: inputs, type: Int32(type.rawValue), weights: weights,
        scales: scales,
        bias: bias, in: input, out: target)
      kernels.dense(&job)
      apply(operation.activation, target, operation.outputs)
    }
  }
#endif
