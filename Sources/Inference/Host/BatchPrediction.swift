#if INKLING_KERNELS
  import Kernels

  extension Network {
    /// The bytes of scratch memory that a batch needs, aligned to 64.
    public func batchScratchByteCount(_ count: Int) -> Int {
      prepared.map { $0.scratchByteCount + 64 + 4 * (BatchPlan($0)?.floatCount ?? 0) } ?? scratchByteCount
    }

    /// Classifies `count` images, one after another in memory.
    ///
    /// A prepared network takes several through its dense layers at once, so that their weights are read once for all
    /// of them; the sums are then in another order than for one image.
    ///
    /// - Parameters:
    ///   - pixels: [count, channels, height, width].
    ///   - count: how many images.
    ///   - scratch: `batchScratchByteCount(count)` bytes, aligned to 64, of this call alone.
    ///   - probabilities: [count, classes], which are written.
    public func predict(
      _ pixels: UnsafePointer<UInt8>, count: Int, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>
    ) {
      if count > 1, let prepared, let plan = BatchPlan(prepared) {
        plan.run(pixels, count: count, scratch: scratch, probabilities: probabilities)
        return
      }
      for image in 0..<count {
        _ = predict(
          pixels + image * input.extent.count, scratch: scratch,
          probabilities: probabilities + image * classCount)
      }
    }
  }

  /// How a prepared network takes several images: one by one up to its first dense layer, then blocks of them.
  private struct BatchPlan {
    private let prepared: PreparedNetwork
    /// The stage of the first dense layer.
    private let first: Int
    /// Images in a block.
    private let block: Int
    /// Floats of one image's values, with the zeros that fill a dense layer's inputs up.
    private let width: Int

    /// Bytes of a block's inputs that stay in the second cache beside the weights that go by.
    private static let blockByteCount = 1 << 18

    /// Nil for a network that does not end in dense layers of floats.
    init?(_ prepared: PreparedNetwork) {
      guard
        let first = prepared.stages.firstIndex(where: { if case .dense = $0 { true } else { false } }),
        prepared.stages[first...].allSatisfy(Self.isBatched)
      else { return nil }
      self.prepared = prepared
      self.first = first
      width = prepared.stages[first...].reduce(0) { width, stage in
        if case .dense(let dense) = stage { max(width, dense.inputs, dense.outputs) } else { width }
      }
      // Whole panels of the product's columns.
      let columns = Int(INKLING_COLUMNS)
      block = max(1, min(4, Self.blockByteCount / (4 * width * columns))) * columns
    }

    private static func isBatched(_ stage: StageList.Stage) -> Bool {
      switch stage {
      case .dense(let dense): dense.type == .float32
      case .plain(let step): step.operation.isInPlace && step.inputStorage == .floats
      case .convolution, .winograd, .integers, .maximumPool, .bytePool, .planar, .conversion: false
      }
    }

    /// The inputs of the next dense layer, with the zeros that fill them up; nil behind the last.
    private func inputs(after stage: Int) -> Int? {
      for case .dense(let dense) in prepared.stages[(stage + 1)...] { return dense.inputs }
      return nil
    }

    /// Two blocks that take turns, and the product's panel.
    var floatCount: Int { 2 * block * width + Int(INKLING_PANEL_ROWS * INKLING_COLUMNS) }

    func run(
      _ pixels: UnsafePointer<UInt8>, count: Int, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>
    ) {
      let network = prepared.network
      let single = (prepared.scratchByteCount + 63) & ~63
      let blocks = (scratch + single).assumingMemoryBound(to: Float.self)
      let panel = blocks + 2 * block * width
      for start in stride(from: 0, to: count, by: block) {
        let images = min(block, count - start)
        var (current, other) = (blocks, blocks + block * width)
        guard case .dense(let dense) = prepared.stages[first] else { return }
        for image in 0..<images {
          let values = prepared.run(
            pixels + (start + image) * network.input.extent.count, scratch: scratch, stages: 0..<first)
          let row = current + image * dense.inputs
          row.update(from: values, count: dense.count)
          (row + dense.count).update(repeating: 0, count: dense.inputs - dense.count)
        }
        var distance = dense.inputs
        for index in prepared.stages.indices[first...] {
          switch prepared.stages[index] {
          case .dense(let dense):
            let next = inputs(after: index) ?? dense.outputs
            dense.run(current, count: images, to: other, distance: next, panel: panel, prepared.kernels)
            (distance, (current, other)) = (next, (other, current))
          case .plain(let step):
            for image in 0..<images {
              let values = UnsafeMutableRawPointer(current + image * distance)
              network.run(step, from: values, to: values, block: UnsafeMutableRawPointer(scratch))
            }
          case .convolution, .winograd, .integers, .maximumPool, .bytePool, .planar, .conversion: break
          }
        }
        // Behind the last dense layer the images lie one after another.
        (probabilities + start * network.classCount).update(from: current, count: images * network.classCount)
      }
    }
  }
#endif
