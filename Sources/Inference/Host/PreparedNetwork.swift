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
    /// Whether integer operations are done by the kernels for floats.
    private let isWhole: Bool
    /// What the sums of the last operation still have to go through.
    private var pending: PreparedRequantization?

    /// One operation as the kernels take it; what they have no loop for runs the plain one.
    enum Stage {
      case convolution(PreparedConvolution)
      case winograd(PreparedWinograd, Operation.Activation)
      case dense(PreparedDense)
      case maximumPool(Operation.Window, Step, Operation.Activation)
      case plain(Step)
      /// Bytes become floats.
      case conversion(Storage, count: Int)
      /// Sums become what an integer operation hands on; in place.
      case requantization(PreparedRequantization)
      /// Whole numbers times their scale; in place.
      case scaling(Float, count: Int)

      var isObserved: Bool {
        switch self {
        case .convolution, .winograd, .dense, .maximumPool: true
        case .plain, .conversion, .requantization, .scaling: false
        }
      }
    }

    /// Kernels read vectors past the end of what they are given: this many floats at most.
    static let slack = 64

    /// The most bytes that the weights of a file of so many bytes may take. Only where operations share tensors, as
    /// trained networks' do not, would it be more: then a short file could claim any amount of memory.
    static func mostByteCount(fileByteCount: Int) -> Int { 64 * fileByteCount + (1 << 20) }

    /// Nil if the weights would take more than `mostByteCount`.
    init?(_ network: Network, kernels: InklingKernels) {
      let steps = Self.steps(of: network)
      let byteCount = steps.reduce(64) { $0 + Self.byteCount($1, network) }
      guard byteCount <= Self.mostByteCount(fileByteCount: network.byteCount) else { return nil }
      self.network = network
      self.kernels = kernels
      self.byteCount = byteCount
      isWhole = WholeNumbers.suits(steps, network)
      memory = .allocate(byteCount: byteCount, alignment: 64)
      var lastWeighted = 0
      for (index, step) in steps.enumerated() {
        if step.operation.hasWeights { lastWeighted = index }
        if isWhole { addWhole(step) } else { add(step) }
        while origins.count < stages.count { origins.append((lastWeighted, step.output.count)) }
      }
      flush()
      while origins.count < stages.count { origins.append((lastWeighted, network.classCount)) }
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
      case .convolution(let convolution):
        512 + 8 * convolution.filters
          + (convolution.integers == nil && PreparedWinograd.suits(convolution, step)
            ? PreparedWinograd.byteCount(convolution, step)
            : PreparedConvolution.byteCount(convolution, step))
      case .dense(let dense):
        PreparedDense.byteCount(dense, network.tensor(dense.weights).type, inputs: step.input.count) + 512
          + 8 * dense.outputs
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
      case .convolution(let convolution)
      where convolution.integers == nil && PreparedWinograd.suits(convolution, step):
        let prepared = PreparedWinograd(convolution, step, self)
        workspace = max(workspace, prepared.workspace)
        stages.append(.winograd(prepared, convolution.activation))
      case .convolution(let convolution) where convolution.integers == nil:
        let prepared = PreparedConvolution(convolution, step, self)
        workspace = max(workspace, prepared.workspace)
        stages.append(.convolution(prepared))
      case .dense(let dense) where dense.integers == nil:
        let prepared = PreparedDense(dense, step, self)
        workspace = max(workspace, prepared.workspace)
        stages.append(.dense(prepared))
      case .maximumPool(let window) where step.inputStorage == .floats:
        // A rectifier commutes with the maximum, and has fewer values to go over behind it.
        var activation = Operation.Activation.none
        if case .convolution(var before) = stages.last, before.activation == .rectifier {
          activation = before.activation
          before.activation = .none
          stages[stages.count - 1] = .convolution(before)
        }
        if case .winograd(let before, .rectifier) = stages.last {
          activation = .rectifier
          stages[stages.count - 1] = .winograd(before, .none)
        }
        stages.append(.maximumPool(window, step, activation))
      case .flatten: break
      default:
        workspace = max(workspace, step.blockByteCount / 4)
        stages.append(.plain(step))
      }
    }

    /// As `add`, where whole numbers are kept in floats.
    private func addWhole(_ step: Step) {
      let bytesWanted = step.inputStorage != .floats
      if stages.isEmpty, bytesWanted {
        // Pixels as the whole numbers that they are.
        stages.append(.conversion(.bytes(scale: 1), count: step.input.count))
        lastStorage = .pixels
      }
      if case .maximumPool(let window) = step.operation, bytesWanted {
        // Behind a flatten channels are no longer those of the sums.
        if let pending, !pending.isMonotone || pending.plane != step.input.planeCount { flush() }
        stretch = max(stretch, step.input.count, step.output.count)
        stages.append(.maximumPool(window, step, .none))
        pending?.plane = step.output.planeCount
        lastStorage = step.outputStorage
        return
      }
      if case .flatten = step.operation {
        lastStorage = step.outputStorage
        return
      }
      flush()
      if !bytesWanted, lastStorage != .floats, !stages.isEmpty {
        // An operation takes pixels as they are only where their offset is 0.
        let scale = if case .bytes(let scale) = lastStorage { scale } else { network.input.scale }
        stages.append(.scaling(scale, count: step.input.count))
        lastStorage = .floats
      }
      switch step.operation {
      case .convolution(let convolution):
        guard let integers = convolution.integers else { return add(step) }
        let prepared = PreparedConvolution(convolution, step, self, isWhole: true)
        workspace = max(workspace, prepared.workspace)
        stages.append(.convolution(prepared))
        pending = requantization(
          integers, convolution.weights, convolution.bias, convolution.activation, step)
      case .dense(let dense):
        guard let integers = dense.integers else { return add(step) }
        let prepared = PreparedDense(dense, step, self, isWhole: true)
        workspace = max(workspace, prepared.workspace)
        stages.append(.dense(prepared))
        pending = requantization(integers, dense.weights, dense.bias, dense.activation, step)
      default: return add(step)
      }
      stretch = max(stretch, step.input.count, step.output.count)
      lastStorage = step.outputStorage
    }

    private func requantization(
      _ integers: Operation.IntegerScales, _ weights: Int, _ bias: Int, _ activation: Operation.Activation,
      _ step: Step
    ) -> PreparedRequantization {
      PreparedRequantization(
        integers, weights: network.tensor(weights),
        bias: bias == InkFormat.noTensor ? nil : network.tensor(bias),
        activation, plane: step.output.planeCount, self)
    }

    private func flush() {
      if let pending { stages.append(.requantization(pending)) }
      pending = nil
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
      func next() -> UnsafeMutablePointer<Float> {
        isFirst.toggle()
        return isFirst ? stretches.0 : stretches.1
      }
      for index in range {
        let stage = stages[index]
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
        case .winograd(let convolution, let activation):
          let target = next()
          convolution.run(values, to: target, workspace: work, kernels)
          apply(activation, target, convolution.outputCount)
          current = UnsafeMutableRawPointer(target)
        case .dense(let dense):
          let target = next()
          dense.run(values, to: target, workspace: work, kernels)
          current = UnsafeMutableRawPointer(target)
        case .maximumPool(let window, let step, let activation):
          let target = next()
          maximumPool(window, step, values, to: target)
          apply(activation, target, step.output.count)
          current = UnsafeMutableRawPointer(target)
        case .requantization(let requantization): requantization.run(values)
        case .scaling(let scale, let count): for index in 0..<count { values[index] = values[index] * scale }
        case .plain(let step):
          let target = step.operation.isInPlace ? current : UnsafeMutableRawPointer(next())
          network.run(step, from: current, to: target, block: UnsafeMutableRawPointer(work))
          current = target
        }
        afterStage?(index, current)
      }
      return current.assumingMemoryBound(to: Float.self)
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
