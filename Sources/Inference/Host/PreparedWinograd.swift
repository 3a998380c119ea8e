#if INKLING_KERNELS
  import Kernels

  /// A convolution by 3 × 3 with stride 1, its weights transformed for tiles of 2 × 2 outputs: fewer than half of the
  /// multiplications, for some additions before and after.
  struct PreparedWinograd {
    private let operation: Operation.Convolution
    private let input: Extent3
    private let output: Extent3
    private let rows: UnsafePointer<Float>
    private let bias: UnsafePointer<Float>
    private let offsets: UnsafePointer<Int32>

    /// Whether the transformations are worth it: with few channels or filters they cost more than they save.
    static func suits(_ operation: Operation.Convolution, _ step: Step) -> Bool {
      operation.window == Operation.Window(height: 3, width: 3, down: 1, across: 1) && operation.groups == 1
        && step.input.channels >= 8 && operation.filters >= 8 && step.output.planeCount >= 64
    }

    static func byteCount(_ operation: Operation.Convolution, _ step: Step) -> Int {
      4 * (16 * operation.filters * step.input.channels + operation.filters + step.input.channels)
    }

    init(_ operation: Operation.Convolution, _ step: Step, _ memory: WeightMemory) {
      self.operation = operation
      (input, output) = (step.input, step.output)
      let (filters, channels) = (operation.filters, step.input.channels)
      let weights = memory.network.tensor(operation.weights)
      let rows = memory.take(16 * filters * channels, of: Float.self)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 16 * filters * channels) { matrices in
        guard let start = matrices.baseAddress else { return }
        for filter in 0..<filters {
          let scale = weights.scale(of: filter)
          for channel in 0..<channels {
            Self.transform(
              { weights.number(filter, channel * 9 + $0) * scale }, into: start + filter * channels + channel,
              step: filters * channels)
          }
        }
        for place in 0..<16 {
          memory.kernels.packRows(
            start + place * filters * channels, filters, channels, channels, 1,
            rows + place * filters * channels)
        }
      }
      let bias = memory.take(filters, of: Float.self)
      for row in 0..<filters {
        bias[row] =
          operation.bias == InkFormat.noTensor ? 0 : memory.network.tensor(operation.bias).number(row, 0)
      }
      let offsets = memory.take(channels, of: Int32.self)
      self.rows = UnsafePointer(rows)
      self.bias = UnsafePointer(bias)
      self.offsets = UnsafePointer(offsets)
      for channel in 0..<channels { offsets[channel] = Int32(channel * tileStep) }
    }

    /// G g Gᵀ of one kernel, whose 9 weights `weight` gives: 16 values, `step` apart.
    private static func transform(
      _ weight: (Int) -> Float, into target: UnsafeMutablePointer<Float>, step: Int
    ) {
      func column(_ a: Float, _ b: Float, _ c: Float) -> (Float, Float, Float, Float) {
        (a, (a + b + c) / 2, (a - b + c) / 2, c)
      }
      let columns = (
        column(weight(0), weight(3), weight(6)), column(weight(1), weight(4), weight(7)),
        column(weight(2), weight(5), weight(8))
      )
      func store(_ row: Int, _ a: Float, _ b: Float, _ c: Float) {
        let values = column(a, b, c)
        target[4 * row * step] = values.0
        target[(4 * row + 1) * step] = values.1
        target[(4 * row + 2) * step] = values.2
        target[(4 * row + 3) * step] = values.3
      }
      store(0, columns.0.0, columns.1.0, columns.2.0)
      store(1, columns.0.1, columns.1.1, columns.2.1)
      store(2, columns.0.2, columns.1.2, columns.2.2)
      store(3, columns.0.3, columns.1.3, columns.2.3)
    }

    private var tilesDown: Int { (output.height + 1) / 2 }
    private var tilesAcross: Int { (output.width + 1) / 2 }
    /// The vector at the end of the last row of tiles, too, has to end before the next channel's tiles.
    private var tileStep: Int {
      func filledUp(_ count: Int) -> Int {
        let columns = Int(INKLING_COLUMNS)
        return (count + columns - 1) / columns * columns
      }
      return filledUp((tilesDown - 1) * tilesAcross + filledUp(tilesAcross))
    }
    /// Whether the image can be taken as it is: no zeros around it, and whole tiles.
    private var isDirect: Bool {
      input.height == output.height + 2 && input.width == output.width + 2 && output.height % 2 == 0
        && output.width % 2 == 0
    }
    private var frame: (rows: Int, pitch: Int) { (2 * tilesDown + 2, 2 * tilesAcross + 2) }
    private var frameCount: Int { isDirect ? 0 : input.channels * frame.rows * frame.pitch }

    var name: String { Operation.convolution(operation).name + " (Winograd)" }
    /// Of the direct convolution, so that rates compare.
    var multiplyAdds: Int { output.count * input.channels * 9 }
    var outputCount: Int { output.count }
    var activation: Operation.Activation { operation.activation }

    /// Floats to work in.
    var workspace: Int {
      frameCount + PreparedNetwork.slack + 16 * (input.channels + Int(INKLING_STRIP_ROWS)) * tileStep + 2
        * Int(INKLING_COLUMNS)
    }

    /// The activation is left to the caller.
    func run(
      _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
      workspace: UnsafeMutablePointer<Float>, _ kernels: InklingKernels
    ) {
      let planes = spread(source, into: workspace)
      let pitch = isDirect ? input.width : frame.pitch
      let channelStep = isDirect ? input.planeCount : frame.rows * frame.pitch
      let tiles = workspace + frameCount + PreparedNetwork.slack
      let sums = tiles + 16 * input.channels * tileStep + Int(INKLING_COLUMNS)
      var job = InklingWinograd(
        channels: input.channels, filters: operation.filters, height: output.height, width: output.width,
        pitch: pitch, channelStep: channelStep, tileStep: tileStep, rows: rows, bias: bias, in: planes,
        offsets: offsets, spread: tiles, sums: sums, out: target)
      kernels.winograd(&job)
    }

    /// The image in a frame of zeros that holds whole tiles.
    private func spread(_ image: UnsafePointer<Float>, into planes: UnsafeMutablePointer<Float>)
      -> UnsafePointer<Float>
    {
      if isDirect { return image }
      planes.update(repeating: 0, count: frameCount)
      // Beyond the tiles nothing is looked at.
      let (rows, columns) = (
        min(input.height, frame.rows - operation.top), min(input.width, frame.pitch - operation.left)
      )
      for channel in 0..<input.channels {
        for row in 0..<rows {
          let to = planes + (channel * frame.rows + row + operation.top) * frame.pitch + operation.left
          to.update(from: image + (channel * input.height + row) * input.width, count: columns)
        }
      }
      return UnsafePointer(planes)
    }
  }
#endif
