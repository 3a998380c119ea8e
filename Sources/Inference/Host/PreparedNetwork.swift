#if INKLING_KERNELS
  import Kernels

  /// A network laid out for the kernels of one instruction set: decoded once, its weights packed into one allocation.
  final class PreparedNetwork: @unchecked Sendable {
    let network: Network
    let kernels: InklingKernels
    let stages: [StageList.Stage]
    /// For each stage the number of the last convolution or dense operation up to it, and its outputs.
    let origins: [(operation: Int, count: Int)]
    private let memory: WeightMemory
    private let stretch: Int
    private let workspace: Int

    /// Kernels read vectors past the end of what they are given, and write them: this many floats at most.
    static let slack = 64

    /// Nil if the weights would take more than `WeightMemory.mostByteCount`.
    init?(_ network: Network, kernels: InklingKernels) {
      let steps = Self.steps(of: network)
      guard let memory = WeightMemory(steps, of: network, for: kernels) else { return nil }
      let list = StageList(steps, memory)
      (stages, origins, stretch, workspace) = (list.stages, list.origins, list.stretch, list.workspace)
      self.network = network
      self.kernels = kernels
      self.memory = memory
    }

    /// The bytes that the packed weights take.
    var byteCount: Int { memory.byteCount }

    var scratchByteCount: Int { 4 * (2 * (stretch + Self.slack) + workspace + Self.slack) }

    private static func steps(of network: Network) -> [Step] {
      var steps: [Step] = []
      // Neither fails for a network that was checked.
      guard
        var walk = try? Walk(
          bytes: network.bytes, operations: network.operations, tensors: network.tensors, input: network.input
        )
      else { return [] }
      while let step = (try? walk.next()) ?? nil { steps.append(step) }
      return steps
    }

    /// As `Network.predict`, with `scratchByteCount` bytes of scratch memory.
    func predict(
      _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>,
      afterStage: ((_ stage: Int, _ values: UnsafeRawPointer) -> Void)? = nil
    ) -> Int {
      let values = run(pixels, scratch: scratch, stages: 0..<stages.count, afterStage: afterStage)
      return network.finish(UnsafePointer(values), probabilities)
    }

    /// Runs some of the first stages, and gives the place of their outputs, in the scratch memory.
    func run(
      _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer, stages range: Range<Int>,
      afterStage: ((_ stage: Int, _ values: UnsafeRawPointer) -> Void)? = nil
    ) -> UnsafeMutablePointer<Float> {
      let floats = scratch.assumingMemoryBound(to: Float.self)
      let stretches = (floats, floats + stretch + Self.slack)
      let work = stretches.1 + stretch + Self.slack
      var current = UnsafeMutableRawPointer(mutating: pixels)
      var isFirst = false
      func next() -> UnsafeMutableRawPointer {
        isFirst.toggle()
        return UnsafeMutableRawPointer(isFirst ? stretches.0 : stretches.1)
      }
      for index in range {
        let stage = stages[index]
        let target = stage.isInPlace ? current : next()
        run(stage, from: current, to: target, workspace: work)
        current = target
        afterStage?(index, current)
      }
      return current.assumingMemoryBound(to: Float.self)
    }

    @inline(__always) private func run(
      _ stage: StageList.Stage, from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer,
      workspace: UnsafeMutablePointer<Float>
    ) {
      let values = UnsafePointer(source.assumingMemoryBound(to: Float.self))
      let bytes = UnsafePointer(source.assumingMemoryBound(to: UInt8.self))
      let output = target.assumingMemoryBound(to: Float.self)
      let byteOutput = target.assumingMemoryBound(to: UInt8.self)
      switch stage {
      case .conversion(let storage, let count):
        network.convert(source, storage, count: count, to: output)
      case .convolution(let convolution):
        convolution.run(values, to: output, workspace: workspace, kernels)
      case .winograd(let convolution, let activation):
        convolution.run(values, to: output, workspace: workspace, kernels)
        apply(activation, output, convolution.outputCount)
      case .dense(let dense): dense.run(values, to: output, workspace: workspace, kernels)
      case .integers(let integers): integers.run(bytes, to: target, workspace: workspace, kernels)
      case .maximumPool(let window, let step, let activation):
        maximumPool(window, step, values, to: output)
        apply(activation, output, step.output.count)
      case .bytePool(let window, let step):
        Inference.maximumPool(window, step, interleaved: bytes, to: byteOutput)
      case .planar(let extent): makePlanar(extent, bytes, to: byteOutput)
      case .plain(let step):
        network.run(step, from: source, to: target, block: UnsafeMutableRawPointer(workspace))
      }
    }

    private func maximumPool(
      _ window: Operation.Window, _ step: Step, _ source: UnsafePointer<Float>,
      to target: UnsafeMutablePointer<Float>
    ) {
      for channel in 0..<step.input.channels {
        var job = InklingMaximum(
          inWidth: step.input.width, outHeight: step.output.height, outWidth: step.output.width,
          windowHeight: window.height, windowWidth: window.width, strideY: window.down,
          strideX: window.across,
          in: source + channel * step.input.planeCount, out: target + channel * step.output.planeCount,
          places: nil)
        kernels.maximum(&job)
      }
    }
  }

  extension StageList.Stage {
    fileprivate var isInPlace: Bool {
      if case .plain(let step) = self { step.operation.isInPlace } else { false }
    }
  }

  /// Applies an activation to `count` values in place.
  func apply(_ activation: Operation.Activation, _ values: UnsafeMutablePointer<Float>, _ count: Int) {
    switch activation {
    case .none: break
    case .rectifier: for index in 0..<count { values[index] = values[index] > 0 ? values[index] : 0 }
    case .leaky(let slope):
      for index in 0..<count { values[index] = values[index] > 0 ? values[index] : values[index] * slope }
    }
  }
#endif
