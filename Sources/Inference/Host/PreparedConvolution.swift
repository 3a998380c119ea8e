#if INKLING_KERNELS
  import Kernels

  /// A convolution with its weights in the order in which the kernel reads them.
  struct PreparedConvolution {
    private let layout: PlanesLayout
    private let operation: Operation.Convolution
    var activation: Operation.Activation
    private let rows: UnsafePointer<Float>
    private let bias: UnsafePointer<Float>
    private let offsets: UnsafePointer<Int32>

    /// The bytes that the packed weights take.
    static func byteCount(_ operation: Operation.Convolution, _ step: Step) -> Int {
      let inner = PlanesLayout(operation, input: step.input, output: step.output).inner
      return 4 * (operation.filters * inner + operation.filters + inner)
    }

    init(_ operation: Operation.Convolution, _ step: Step, _ memory: WeightMemory) {
      self.operation = operation
      activation = operation.activation
      layout = PlanesLayout(operation, input: step.input, output: step.output)
      let (filters, inner) = (operation.filters / operation.groups, layout.inner)
      let weights = memory.network.tensor(operation.weights)
      let rows = memory.take(operation.filters * inner, of: Float.self)
      // Scales are multiplied in: the kernel knows floats alone.
      withUnsafeTemporaryAllocation(of: Float.self, capacity: filters * inner) { values in
        guard let start = values.baseAddress else { return }
        for group in 0..<operation.groups {
          for row in 0..<filters {
            let scale = weights.scale(of: group * filters + row)
            for k in 0..<inner { start[row * inner + k] = weights.number(group * filters + row, k) * scale }
          }
          memory.kernels.packRows(start, filters, inner, inner, 1, rows + group * filters * inner)
        }
      }
      let bias = memory.take(operation.filters, of: Float.self)
      for row in 0..<operation.filters {
        bias[row] =
          operation.bias == InkFormat.noTensor
          ? 0 : memory.network.tensor(operation.bias).number(row, 0)
      }
      let offsets = memory.take(inner, of: Int32.self)
      layout.fill(offsets)
      self.rows = UnsafePointer(rows)
      self.bias = UnsafePointer(bias)
      self.offsets = UnsafePointer(offsets)
    }

    var name: String { Operation.convolution(operation).name }
    var multiplyAdds: Int { layout.output.count * layout.inner }

    /// Floats to work in.
    var workspace: Int { layout.planesCount + PreparedNetwork.slack + layout.stripCount }

    func run(
      _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
      workspace: UnsafeMutablePointer<Float>, _ kernels: InklingKernels
    ) {
      let planes = layout.spread(source, into: workspace)
      let filters = operation.filters / operation.groups
      for group in 0..<operation.groups {
        var job = InklingCorrelation(
          rowCount: filters, inner: layout.inner, height: layout.output.height, width: layout.output.width,
          pitch: layout.pitch, rows: rows + group * filters * layout.inner, bias: bias + group * filters,
          in: planes + group * layout.groupChannels * layout.channelStep, offsets: offsets,
          strip: workspace + layout.planesCount + PreparedNetwork.slack,
          out: target + group * filters * layout.output.planeCount)
        kernels.correlate(&job)
      }
      apply(activation, target, layout.output.count)
    }
  }
#endif
