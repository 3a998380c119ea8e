#if INKLING_KERNELS
  import Kernels

  /// A convolution or a dense layer of whole numbers, bit for bit as the plain loops have it, with its weights in the
  /// order in which the kernel reads them. Bytes are handed on pixel by pixel, [row][column][filter], floats as
  /// everywhere else.
  struct PreparedIntegers {
    let name: String
    let multiplyAdds: Int
    private let frame: IntegerFrame
    private let output: Extent3
    private let activation: Operation.Activation
    private var job: InklingIntegers

    /// The pool that a convolution can take with it.
    static let poolWindow = Operation.Window(height: 2, width: 2, down: 2, across: 2)

    /// The words of 32 bits that a window is read in: each row of the kernel covers one run of values.
    private struct Words {
      let rows: Int
      let valuesPerRow: Int
      let isWide: Bool

      var size: Int { isWide ? 2 : 4 }
      var perRow: Int { (valuesPerRow + size - 1) / size }
      var count: Int { rows * perRow }
    }

    /// The bytes that the packed weights take at most.
    static func byteCount(_ weights: WeightTensor, rows: Int, lanes: Int) -> Int {
      let filters = padded(weights.rows, lanes)
      // Words hold 2 values at least, and each row may leave a part of one empty.
      let words = weights.columns / 2 + rows
      return 4 * (filters * words + filters / lanes * (words + 1) + 2 * filters)
    }

    private static func padded(_ filters: Int, _ lanes: Int) -> Int { (filters + lanes - 1) / lanes * lanes }

    /// - Parameters:
    ///   - frame: how the input lies.
    ///   - pool: the extent behind the pool of 2 × 2 that follows, if it is to be done in the same breath.
    init(
      _ operation: Operation.Convolution, _ step: Step, _ scaling: IntegerScaling, _ frame: IntegerFrame,
      pool: Extent3?, _ memory: WeightMemory
    ) {
      let (window, channels) = (operation.window, step.input.channels)
      let words = Words(rows: window.height, valuesPerRow: window.width * channels, isWide: frame.isWide)
      let output = pool ?? step.output
      let isSingle = pool == nil && output.planeCount == 1
      let name = Operation.convolution(operation).name
      self.init(
        name, step, scaling, frame, output, words, operation.activation, isSingle: isSingle, memory
      ) { row, value in
        (value % channels * window.height + row) * window.width + value / channels
      }
      (job.poolDown, job.poolAcross) = (window.down * frame.pitch, window.across * frame.pixelByteCount)
      job.isPooled = pool == nil ? 0 : 1
      let apart = pool == nil ? 1 : 2
      (job.rowStep, job.columnStep) = (job.poolDown * apart, job.poolAcross * apart)
    }

    init(
      _ operation: Operation.Dense, _ step: Step, _ scaling: IntegerScaling, _ frame: IntegerFrame,
      _ memory: WeightMemory
    ) {
      let image = frame.image
      let words = Words(rows: 1, valuesPerRow: image.count, isWide: frame.isWide)
      let name = Operation.dense(operation).name
      self.init(
        name, step, scaling, frame, step.output, words, operation.activation, isSingle: true, memory
      ) { _, value in
        value % image.channels * image.planeCount + value / image.channels
      }
    }

    /// - Parameter column: the weight's column for a row of the kernel and a value of the run that it covers.
    private init(
      _ name: String, _ step: Step, _ scaling: IntegerScaling, _ frame: IntegerFrame, _ output: Extent3,
      _ words: Words,
      _ activation: Operation.Activation, isSingle: Bool, _ memory: WeightMemory,
      column: (_ row: Int, _ value: Int) -> Int
    ) {
      self.name = name
      multiplyAdds = step.multiplyAdds
      self.frame = frame
      self.output = output
      self.activation = activation
      let kernels = memory.kernels
      let (filters, padded) = (output.channels, Self.padded(output.channels, Int(kernels.lanes)))
      let (isSingle, isWide): (Int32, Int32) = (isSingle ? 1 : 0, frame.isWide ? 1 : 0)
      let weights = memory.take(4 * words.count * padded, of: Int8.self)
      let tables = memory.take(padded / Int(kernels.lanes) * (words.count + 1), of: Int32.self)
      let offsets = (0..<words.count).map {
        Int32($0 / words.perRow * frame.pitch + 4 * ($0 % words.perRow))
      }
      withUnsafeTemporaryAllocation(of: Int8.self, capacity: filters * words.count * words.size) { matrix in
        guard let matrix = matrix.baseAddress else { return }
        var next = matrix
        for filter in 0..<filters {
          for row in 0..<words.rows {
            for value in 0..<words.perRow * words.size {
              // Numbers of the format have 8 bits.
              next.pointee =
                value < words.valuesPerRow
                ? Int8(truncatingIfNeeded: scaling.weights.integer(filter, column(row, value))) : 0
              next += 1
            }
          }
        }
        offsets.withUnsafeBufferPointer {
          var packing = InklingIntegerPacking(
            filters: filters, words: words.count, isWide: isWide, isSingle: isSingle, matrix: matrix,
            offsets: $0.baseAddress, tables: tables, weights: weights)
          kernels.packIntegers(&packing)
        }
      }
      let (factors, shifts) = (memory.take(padded, of: Float.self), memory.take(padded, of: Float.self))
      for filter in 0..<padded {
        let scales = filter < filters ? scaling.requantization(filter) : nil
        (factors[filter], shifts[filter]) = (scales?.factor ?? 0, scales?.shift ?? 0)
      }
      // Addresses of input and output are those of a call.
      job = InklingIntegers(
        filters: filters, height: output.height, width: output.width, words: words.count, rowStep: 0,
        columnStep: 0, poolAcross: 0, poolDown: 0, isWide: isWide, isSingle: isSingle, isPooled: 0,
        isStored: scaling.isStored ? 1 : 0, in: nil, tables: tables, weights: weights, factors: factors,
        shifts: shifts, out: nil)
    }

    var inputCount: Int { frame.image.count }

    /// Floats to work in.
    var workspace: Int { (frame.byteCount + 3) / 4 + PreparedNetwork.slack + output.count }

    func run(
      _ source: UnsafePointer<UInt8>, to target: UnsafeMutableRawPointer,
      workspace: UnsafeMutablePointer<Float>, _ kernels: InklingKernels
    ) {
      var job = job
      job.in = frame.spread(source, into: workspace)
      if job.isStored != 0 {
        job.out = target
        kernels.integers(&job)
        return
      }
      let floats = target.assumingMemoryBound(to: Float.self)
      let pixels = workspace + (frame.byteCount + 3) / 4 + PreparedNetwork.slack
      let isPlanar = output.planeCount == 1 || output.channels == 1
      job.out = UnsafeMutableRawPointer(isPlanar ? floats : pixels)
      kernels.integers(&job)
      if !isPlanar { makePlanar(output, pixels, to: floats) }
      apply(activation, floats, output.count)
    }
  }
#endif
