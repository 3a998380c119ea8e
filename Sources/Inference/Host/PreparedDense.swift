#if INKLING_KERNELS
  import Kernels

  /// A dense layer with its weights in aligned rows of whole vectors, in as short a form as the kernels take.
  struct PreparedDense {
    private let operation: Operation.Dense
    let count: Int
    /// The inputs with the zeros that fill them up.
    let inputs: Int
    let type: TensorType
    private let weights: UnsafeRawPointer
    private let scales: UnsafePointer<Float>
    private let bias: UnsafePointer<Float>

    var outputs: Int { operation.outputs }
    /// Floats to work in.
    var workspace: Int { inputs }
    var multiplyAdds: Int { operation.outputs * count }

    /// The bytes that are taken at most.
    static func byteCount(_ operation: Operation.Dense, _ type: TensorType, inputs: Int) -> Int {
      // Scales and bias; and weights that are not read where they lie.
      operation.outputs * (8 + (padded(inputs) == inputs && type == .float32 ? 0 : 4 * padded(inputs)))
    }

    private static func padded(_ inputs: Int) -> Int {
      let step = Int(INKLING_DENSE_STEP)
      return (inputs + step - 1) / step * step
    }

    init(_ operation: Operation.Dense, _ step: Step, _ memory: WeightMemory) {
      self.operation = operation
      count = step.input.count
      let (count, inputs) = (self.count, Self.padded(self.count))
      self.inputs = inputs
      let tensor = memory.network.tensor(operation.weights)
      let outputs = operation.outputs
      switch tensor.type {
      case .float32: type = .float32
      case .float16: type = memory.kernels.hasHalf != 0 ? .float16 : .float32
      case .int8, .int4: type = .int8
      }
      if inputs == count, type == tensor.type {
        // Rows of whole vectors are read where they lie in the file.
        weights = tensor.values
      } else {
        weights = Self.pack(tensor, as: type, inputs: inputs, memory)
      }
      let (scales, bias) = (memory.take(outputs, of: Float.self), memory.take(outputs, of: Float.self))
      for row in 0..<outputs {
        scales[row] = tensor.scale(of: row)
        bias[row] =
          operation.bias == InkFormat.noTensor
          ? 0 : memory.network.tensor(operation.bias).number(row, 0)
      }
      self.scales = UnsafePointer(scales)
      self.bias = UnsafePointer(bias)
    }

    /// Rows that are filled up with zeros.
    private static func pack(
      _ tensor: WeightTensor, as type: TensorType, inputs: Int, _ memory: WeightMemory
    ) -> UnsafeRawPointer {
      let (rows, columns) = (tensor.rows, tensor.columns)
      let width = type == .float32 ? 4 : type == .float16 ? 2 : 1
      let target = UnsafeMutableRawPointer(memory.take(rows * inputs * width, of: UInt8.self))
      for row in 0..<rows {
        let start = target + row * inputs * width
        if type == tensor.type {
          start.copyMemory(from: tensor.values + row * columns * width, byteCount: columns * width)
        } else if type == .float32 {
          let floats = start.bindMemory(to: Float.self, capacity: inputs)
          for column in 0..<columns { floats[column] = tensor.number(row, column) }
        } else {
          let bytes = start.bindMemory(to: Int8.self, capacity: inputs)
          for column in 0..<columns { bytes[column] = Int8(truncatingIfNeeded: tensor.integer(row, column)) }
        }
        (start + columns * width).initializeMemory(
          as: UInt8.self, repeating: 0, count: (inputs - columns) * width)
      }
      return UnsafeRawPointer(target)
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
        scales: scales, bias: bias, in: input, out: target)
      kernels.dense(&job)
      apply(operation.activation, target, operation.outputs)
    }

    /// The same for several images at once, with float32 weights: their inputs lie `inputs` values apart, their outputs
    /// `distance`, with zeros behind each.
    func run(
      _ source: UnsafePointer<Float>, count images: Int, to target: UnsafeMutablePointer<Float>,
      distance: Int,
      panel: UnsafeMutablePointer<Float>, _ kernels: InklingKernels
    ) {
      let outputs = operation.outputs
      var job = InklingProduct(
        rows: outputs, columns: images, inner: inputs, aRow: inputs, aInner: 1, bInner: 1, bColumn: inputs,
        cRow: 1,
        cColumn: distance, a: weights.assumingMemoryBound(to: Float.self), b: source, panel: panel, c: target)
      kernels.product(&job)
      for image in 0..<images {
        let row = target + image * distance
        for output in 0..<outputs { row[output] += bias[output] }
        apply(operation.activation, row, outputs)
        (row + outputs).update(repeating: 0, count: distance - outputs)
      }
    }
  }
#endif
