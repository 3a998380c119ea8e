#if INKLING_KERNELS
  import Kernels

  /// A network laid out for the kernels of one instruction set: decoded once, its weights packed into one allocation.
  final class PreparedNetwork: @unchecked Sendable {
    let network: Network
    let kernels: InklingKernels
    private(set) var stages: [Stage] = []
    /// For each stage the number of the last convolution or dense operation up to it, and its outputs.
    private(set) var origins: [(operation: Int, count: Int)] = []
    private let memory: UnsafeMutableRawPointer
    /// The bytes that the packed weights take.
    let byteCount: Int
    /// Bytes of `memory` that are taken.
    private var used = 0
    /// Floats of the larger of two stretches that take turns, and of what a stage works in.
    private var stretch = 0
    private var workspace = 0
    private var lastStorage = Storage.pixels

    /// One operation as the kernels take it; what they have no loop for runs the plain one.
    enum Stage {
      case convolution(PreparedConvolution)
      case dense(PreparedDense)
      case maximumPool(Operation.Window, Step, Operation.Activation)
      case plain(Step)
      /// Bytes become floats.
      case conversion(Storage, count: Int)

      var isObserved: Bool {
        switch self {
        case .convolution, .dense, .maximumPool: true
        case .plain, .conversion: false
        }
      }
    }

    /// Kernels read vectors past the end of what they are given: this many floats at most.
    static let slack = 64

    init(_ network: Network, kernels: InklingKernels) {
      self.network = network
      self.kernels = kernels
      let steps = Self.steps(of: network)
      byteCount = steps.reduce(64) { $0 + Self.byteCount($1, network) }
      memory = .allocate(byteCount: byteCount, alignment: 64)
      var lastWeighted = 0
      for (index, step) in steps.enumerated() {
        if step.operation.hasWeights { lastWeighted = index }
        add(step)
        while origins.count < stages.count { origins.append((lastWeighted, step.output.count)) }
      }
    }

    deinit { memory.deallocate() }

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

    private static func byteCount(_ step: Step, _ network: Network) -> Int {
      switch step.operation {
      case .convolution(let convolution) where convolution.integers == nil:
        PreparedConvolution.byteCount(convolution, step) + 256
      case .dense(let dense) where dense.integers == nil:
        PreparedDense.byteCount(dense, network.tensor(dense.weights).type, inputs: step.input.count) + 256
      default: 0
      }
    }

    /// Takes memory, aligned to 64 bytes.
    func take<Value>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
      let start = (used + 63) & ~63
      used = start + count * MemoryLayout<Value>.stride
      precondition(used <= byteCount, "more was taken than was counted")
      return (memory + start).bindMemory(to: type, capacity: count)
    }

    private func add(_ step: Step) {
      if step.inputStorage == .floats, lastStorage != .floats {
        stages.append(.conversion(lastStorage, count: step.input.count))
      }
      stretch = max(stretch, step.input.count, step.output.count)
      lastStorage = step.outputStorage
      switch step.operation {
      case .convolution(let convolution) where convolution.integers == nil:
        let prepared = PreparedConvolution(convolution, step, self)
        workspace = max(workspace, prepared.workspace)
        stages.append(.convolution(prepared))
      case .dense(let dense) where dense.integers == nil:
        let prepared = PreparedDense(dense, step, self)
        workspace = max(workspace, prepared.inputs)
        stages.append(.dense(prepared))
      case .maximumPool(let window) where step.inputStorage == .floats && window.height * window.width <= 256:
        // A rectifier commutes with the maximum, and has fewer values to go over behind it.
        var activation = Operation.Activation.none
        if case .convolution(var before) = stages.last, before.activation == .rectifier {
          activation = before.activation
          before.activation = .none
          stages[stages.count - 1] = .convolution(before)
        }
        workspace = max(workspace, step.output.planeCount)
        stages.append(.maximumPool(window, step, activation))
      case .flatten: break
      default:
        workspace = max(workspace, step.output.planeCount)
        stages.append(.plain(step))
      }
    }

    /// As `Network.predict`, with `scratchByteCount` bytes of scratch memory.
    func predict(
      _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>,
      afterStage: ((_ stage: Int, _ values: UnsafeRawPointer) -> Void)? = nil
    ) -> Int {
      let floats = scratch.assumingMemoryBound(to: Float.self)
      let stretches = (floats, floats + stretch + Self.slack)
      let work = stretches.1 + stretch + Self.slack
      var current = UnsafeMutableRawPointer(mutating: pixels)
      var isFirst = false
      func next() -> UnsafeMutablePointer<Float> {
        isFirst.toggle()
        return isFirst ? stretches.0 : stretches.1
      }
      for (index, stage) in stages.enumerated() {
        let values = current.assumingMemoryBound(to: Float.self)
        switch stage {
        case .conversion(let storage, let count):
          let target = next()
          network.convert(current, storage, count: count, to: target)
          current = UnsafeMutableRawPointer(target)
        case .convolution(let convolution):
          let target = next()
          convolution.run(values, to: target, workspace: work, kernels)
          current = UnsafeMutableRawPointer(target)
        case .dense(let dense):
          let target = next()
          dense.run(values, to: target, workspace: work, kernels)
          current = UnsafeMutableRawPointer(target)
        case .maximumPool(let window, let step, let activation):
          let target = next()
          maximumPool(window, step, values, to: target, places: work)
          apply(activation, target, step.output.count)
          current = UnsafeMutableRawPointer(target)
        case .plain(let step):
          let target = step.operation.isInPlace ? current : UnsafeMutableRawPointer(next())
          network.run(
            step, from: current, to: target,
            sums: UnsafeMutableRawPointer(work).assumingMemoryBound(to: Int32.self))
          current = target
        }
        afterStage?(index, current)
      }
      return network.finish(current.assumingMemoryBound(to: Float.self), probabilities)
    }

    private func maximumPool(
      _ window: Operation.Window, _ step: Step, _ source: UnsafePointer<Float>,
      to target: UnsafeMutablePointer<Float>,
      places: UnsafeMutablePointer<Float>
    ) {
      for channel in 0..<step.input.channels {
        var job = InklingMaximum(
          inWidth: step.input.width, outHeight: step.output.height, outWidth: step.output.width,
          windowHeight: window.height, windowWidth: window.width, strideY: window.down,
          strideX: window.across,
          in: source + channel * step.input.planeCount, out: target + channel * step.output.planeCount,
          places: UnsafeMutableRawPointer(places).assumingMemoryBound(to: UInt8.self))
        kernels.maximum(&job)
      }
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
