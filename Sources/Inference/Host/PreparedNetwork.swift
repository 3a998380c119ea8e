#if INKLING_KERNELS
  import Kernels

  /// A network laid out for the kernels of one instruction set: decoded once, its weights packed into one allocation.
  final class PreparedNetwork: @unchecked Sendable {
    let network: Network
    let kernels: InklingKernels
    private(set) var stages: [Stage] = []
    private var memory: UnsafeMutableRawBufferPointer
    /// Bytes of `memory` that are taken.
    private var used = 0
    /// Floats of the larger of two stretches that take turns, and of what a stage works in.
    private var stretch = 0
    private var workspace = 0
    private var lastStorage = Storage.pixels
    /// The extent of bytes that lie pixel by pixel; nil where activations lie plane by plane.
    private var interleaved: Extent3?

    /// One operation as the kernels take it; what they have no loop for runs the plain one.
    enum Stage {
      case convolution(PreparedConvolution)
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
    }

    /// Kernels read vectors past the end of what they are given: this many floats at most.
    static let slack = 64

    init(_ network: Network, kernels: InklingKernels) {
      self.network = network
      self.kernels = kernels
      let steps = Self.steps(of: network)
      let lanes = Int(kernels.lanes)
      memory = .allocate(
        byteCount: steps.reduce(64) { $0 + Self.byteCount($1, network, lanes: lanes) }, alignment: 64)
      var rest = steps[...]
      while let step = rest.popFirst() {
        if !addIntegers(step, &rest) { add(step) }
      }
    }

    deinit { memory.deallocate() }

    /// The bytes that the packed weights take.
    var byteCount: Int { memory.count }

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

    private static func byteCount(_ step: Step, _ network: Network, lanes: Int) -> Int {
      switch step.operation {
      case .convolution(let convolution) where convolution.integers == nil:
        PreparedConvolution.byteCount(convolution, step) + 256
      case .dense(let dense) where dense.integers == nil:
        PreparedDense.byteCount(dense, network.tensor(dense.weights).type, inputs: step.input.count) + 256
      case .convolution(let convolution) where convolution.groups == 1:
        PreparedIntegers.byteCount(
          network.tensor(convolution.weights), rows: convolution.window.height, lanes: lanes) + 256
      case .dense(let dense):
        PreparedIntegers.byteCount(network.tensor(dense.weights), rows: 1, lanes: lanes) + 256
      default: 0
      }
    }

    /// Takes memory, aligned to 64 bytes.
    func take<Value>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
      let start = (used + 63) & ~63
      used = start + count * MemoryLayout<Value>.stride
      precondition(used <= memory.count, "more was taken than was counted")
      // Not empty, so there is an address.
      return (memory.baseAddress! + start).bindMemory(to: type, capacity: count)
    }

    /// Adds an operation on bytes, and perhaps the pool that follows; false for operations that are none.
    private func addIntegers(_ step: Step, _ rest: inout ArraySlice<Step>) -> Bool {
      // Behind a flattening: a dense layer's weights can follow the order of the bytes, nothing else can.
      if let extent = interleaved, extent != step.input, !step.operation.isDense { makePlanar() }
      var input = step.input
      func frame(_ padding: (top: Int, left: Int, bottom: Int, right: Int)) -> IntegerFrame {
        IntegerFrame(
          input, storage: step.inputStorage, isPlanar: interleaved == nil, byteLimit: Int(kernels.byteLimit),
          padding: padding)
      }
      let prepared: PreparedIntegers
      var output = step.output
      var storage = step.outputStorage
      switch step.operation {
      case .convolution(let convolution) where convolution.groups == 1:
        guard let integers = convolution.integers else { return false }
        let scaling = IntegerScaling(
          integers, convolution.activation, weights: convolution.weights, bias: convolution.bias, network)
        var pool: Extent3?
        if let next = rest.first, case .maximumPool(let window) = next.operation, scaling.isStored,
          window == Operation.Window(height: 2, width: 2, down: 2, across: 2), scaling.isMonotonic
        {
          rest.removeFirst()
          pool = next.output
          (output, storage) = (next.output, next.outputStorage)
        }
        let padding = (convolution.top, convolution.left, convolution.bottom, convolution.right)
        prepared = PreparedIntegers(convolution, step, scaling, frame(padding), pool: pool, self)
      case .dense(let dense):
        guard let integers = dense.integers else { return false }
        let scaling = IntegerScaling(
          integers, dense.activation, weights: dense.weights, bias: dense.bias, network)
        input = interleaved ?? Extent3(channels: step.input.count, height: 1, width: 1)
        prepared = PreparedIntegers(dense, step, scaling, frame((0, 0, 0, 0)), self)
      case .maximumPool(let window) where interleaved != nil:
        stages.append(.bytePool(window, step))
        (lastStorage, interleaved) = (step.outputStorage, step.output)
        return true
      default: return false
      }
      stages.append(.integers(prepared))
      stretch = max(stretch, step.input.count, output.count)
      workspace = max(workspace, prepared.workspace)
      lastStorage = storage
      interleaved = storage == .floats ? nil : output
      return true
    }

    private func makePlanar() {
      if let extent = interleaved, extent.channels > 1, extent.planeCount > 1 {
        stages.append(.planar(extent))
      }
      interleaved = nil
    }

    private func add(_ step: Step) {
      if case .flatten = step.operation, interleaved != nil { return }
      makePlanar()
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
      probabilities: UnsafeMutablePointer<Float>
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
      for stage in stages {
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
        case .integers(let integers):
          let target = next()
          integers.run(
            UnsafePointer(current.assumingMemoryBound(to: UInt8.self)), to: target, workspace: work, kernels)
          current = UnsafeMutableRawPointer(target)
        case .bytePool(let window, let step):
          let target = UnsafeMutableRawPointer(next())
          Inference.maximumPool(
            window, step, interleaved: UnsafePointer(current.assumingMemoryBound(to: UInt8.self)),
            to: target.assumingMemoryBound(to: UInt8.self))
          current = target
        case .planar(let extent):
          let target = UnsafeMutableRawPointer(next())
          Inference.makePlanar(
            extent, UnsafePointer(current.assumingMemoryBound(to: UInt8.self)),
            to: target.assumingMemoryBound(to: UInt8.self))
          current = target
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

  extension Operation {
    fileprivate var isDense: Bool { if case .dense = self { true } else { false } }
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
