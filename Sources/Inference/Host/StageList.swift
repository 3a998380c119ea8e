#if INKLING_KERNELS
  import Kernels

  /// What the kernels do for a network, one stage after another; made by adding its operations.
  struct StageList {
    /// One operation as the kernels take it; what they have no loop for runs the plain one.
    enum Stage {
      case convolution(PreparedConvolution)
      case winograd(PreparedWinograd, Operation.Activation)
      case dense(PreparedDense)
      case integers(PreparedIntegers)
      case maximumPool(Operation.Window, Step, Operation.Activation)
      /// Of bytes that lie pixel by pixel.
      case bytePool(Operation.Window, Step)
      /// Bytes that lie pixel by pixel then lie plane by plane.
      case planar(Extent3)
      case plain(Step)
      /// Bytes become floats.
      case conversion(Storage, count: Int)

      var isObserved: Bool {
        switch self {
        case .convolution, .winograd, .dense, .maximumPool: true
        case .integers, .bytePool, .planar, .plain, .conversion: false
        }
      }
    }

    private(set) var stages: [Stage] = []
    /// For each stage the number of the last convolution or dense operation up to it, and its outputs.
    private(set) var origins: [(operation: Int, count: Int)] = []
    /// Floats of the larger of two stretches that take turns, and of what a stage works in.
    private(set) var stretch = 0
    private(set) var workspace = 0
    private let memory: WeightMemory
    private var lastStorage = Storage.pixels
    /// The extent of bytes that lie pixel by pixel; nil where activations lie plane by plane.
    private var interleaved: Extent3?

    init(_ steps: [Step], _ memory: WeightMemory) {
      self.memory = memory
      var lastWeighted = 0
      var skipsNext = false
      for (index, step) in steps.enumerated() {
        if step.operation.hasWeights { lastWeighted = index }
        if skipsNext {
          skipsNext = false
          continue
        }
        let next = index + 1 < steps.count ? steps[index + 1] : nil
        if let prepared = integers(step, next) {
          add(prepared.stage, prepared.last)
          skipsNext = prepared.takesNext
        } else {
          add(step)
        }
        while origins.count < stages.count { origins.append((lastWeighted, step.output.count)) }
      }
    }

    private mutating func add(_ step: Step) {
      if let extent = interleaved {
        switch step.operation {
        case .flatten: return
        case .maximumPool(let window) where extent == step.input:
          stages.append(.bytePool(window, step))
          interleaved = step.output
          stretch = max(stretch, step.output.count)
          return
        default: makePlanar()
        }
      }
      if step.inputStorage == .floats, lastStorage != .floats {
        stages.append(.conversion(lastStorage, count: step.input.count))
      }
      stretch = max(stretch, step.input.count, step.output.count)
      lastStorage = step.outputStorage
      switch step.operation {
      case .convolution(let convolution) where convolution.integers == nil:
        if PreparedWinograd.suits(convolution, step) {
          let prepared = PreparedWinograd(convolution, step, memory)
          workspace = max(workspace, prepared.workspace)
          stages.append(.winograd(prepared, convolution.activation))
        } else {
          let prepared = PreparedConvolution(convolution, step, memory)
          workspace = max(workspace, prepared.workspace)
          stages.append(.convolution(prepared))
        }
      case .dense(let dense):
        let prepared = PreparedDense(dense, step, memory)
        workspace = max(workspace, prepared.workspace)
        stages.append(.dense(prepared))
      case .maximumPool(let window) where step.inputStorage == .floats:
        stages.append(.maximumPool(window, step, takeRectifier()))
      case .flatten: break
      default:
        workspace = max(workspace, step.blockByteCount / 4)
        stages.append(.plain(step))
      }
    }

    /// The rectifier of the last convolution, if it has one, for the pool behind it: it commutes with the maximum, and
    /// has fewer values to go over there.
    private mutating func takeRectifier() -> Operation.Activation {
      switch stages.last {
      case .convolution(var before) where before.activation == .rectifier:
        before.activation = .none
        stages[stages.count - 1] = .convolution(before)
        return .rectifier
      case .winograd(let before, .rectifier):
        stages[stages.count - 1] = .winograd(before, .none)
        return .rectifier
      default: return .none
      }
    }

    private mutating func makePlanar() {
      if let extent = interleaved, extent.channels > 1, extent.planeCount > 1 {
        stages.append(.planar(extent))
      }
      interleaved = nil
    }

    private mutating func add(_ prepared: PreparedIntegers, _ last: Step) {
      stages.append(.integers(prepared))
      stretch = max(stretch, prepared.inputCount, last.output.count)
      workspace = max(workspace, prepared.workspace)
      lastStorage = last.outputStorage
      interleaved = last.outputStorage == .floats ? nil : last.output
    }

    /// An operation with whole numbers; with its pool, if that follows and can be done in the same breath. Nil for all
    /// others, and for groups of channels, which do not lie side by side.
    private mutating func integers(
      _ step: Step, _ next: Step?
    ) -> (stage: PreparedIntegers, last: Step, takesNext: Bool)? {
      switch step.operation {
      case .convolution(let convolution):
        guard let integers = convolution.integers, convolution.groups == 1 else { return nil }
        // Behind a flatten the channels are no longer those of the bytes.
        if interleaved != step.input { makePlanar() }
        let scaling = IntegerScaling(
          integers, convolution.activation, weights: convolution.weights, bias: convolution.bias,
          memory.network)
        let frame = IntegerFrame(
          step.input, storage: step.inputStorage, isPlanar: interleaved == nil,
          byteLimit: Int(memory.kernels.byteLimit),
          padding: (convolution.top, convolution.left, convolution.bottom, convolution.right))
        var pool: Step?
        if let next, next.operation == .maximumPool(PreparedIntegers.poolWindow), scaling.isStored,
          scaling.isMonotonic
        {
          pool = next
        }
        return (
          PreparedIntegers(convolution, step, scaling, frame, pool: pool?.output, memory), pool ?? step,
          pool != nil
        )
      case .dense(let dense):
        guard let integers = dense.integers else { return nil }
        let scaling = IntegerScaling(
          integers, dense.activation, weights: dense.weights, bias: dense.bias, memory.network)
        // Weights can follow the order of the bytes, so that these need not be flattened.
        let frame = IntegerFrame(
          interleaved ?? Extent3(channels: step.input.count, height: 1, width: 1),
          storage: step.inputStorage,
          isPlanar: interleaved == nil, byteLimit: Int(memory.kernels.byteLimit), padding: (0, 0, 0, 0))
        return (PreparedIntegers(dense, step, scaling, frame, memory), step, false)
      default: return nil
      }
    }
  }
#endif
