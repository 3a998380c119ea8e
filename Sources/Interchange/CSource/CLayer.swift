import Inference
import Training

/// One layer of the network as C: its constants, and what is called for it.
struct CLayer {
  /// Definitions, behind a comment that says what the layer is; empty where there are none.
  private(set) var constants = ""
  /// The bytes that they take, structures left out.
  private(set) var byteCount = 0
  /// Statements, behind that comment.
  private(set) var calls: String
  /// What these call.
  private(set) var functions: [CFunction] = []

  private let name: String
  private let placed: PlacedOperation

  /// - Parameters:
  ///   - number: from 1, in the order of the network.
  ///   - memory: where the input is, and afterwards the output.
  init(_ number: Int, _ placed: PlacedOperation, in memory: inout CMemory, _ tensors: [QuantizedMatrix]) {
    name = "layer_\(number)"
    self.placed = placed
    calls = "  /* \(number). \(Self.title(placed)) */"
    if let (scale, offset) = placed.conversion {
      let source = memory.values(isBytes: true)
      memory.advance(placed.input.count, isBytes: false)
      call(
        .toFloats,
        "to_floats(\(source), \(placed.input.count), \(CText.number(scale)), \(CText.number(offset)), "
          + "\(memory.current))")
    }
    let source = memory.values(isBytes: placed.takesBytes)
    if !placed.isInPlace { memory.advance(placed.output.count, isBytes: placed.givesBytes) }
    let target = memory.values(isBytes: placed.givesBytes)
    switch placed.operation {
    case .convolution(let convolution):
      add(convolution, tensors)
      let arithmetic = arithmetic(convolution.integers)
      let function = CFunction.convolution(tensors[convolution.weights].type, arithmetic)
      if arithmetic != .floats { memory.needSums(placed.output.planeCount) }
      let sums = arithmetic == .floats ? "" : "sums, "
      call(function, "\(function.name)(&\(name), \(source), \(sums)\(target))")
    case .dense(let dense):
      add(dense, tensors)
      let function = CFunction.dense(tensors[dense.weights].type, arithmetic(dense.integers))
      call(function, "\(function.name)(&\(name), \(source), \(target))")
    case .maximumPool(let window):
      add(window)
      let function = CFunction.maximumPool(placed.takesBytes ? .bytes : .floats)
      call(function, "\(function.name)(&\(name), \(source), \(target))")
    case .averagePool(let window):
      add(window)
      call(.averagePool, "average_pool(&\(name), \(source), \(target))")
    case .globalAveragePool:
      add(
        Operation.Window(height: placed.input.height, width: placed.input.width, down: 1, across: 1))
      call(.averagePool, "average_pool(&\(name), \(source), \(target))")
    case .flatten: break
    case .softmax: call(.softmax, "softmax(\(target), \(placed.input.count))")
    case .activation(let activation):
      call(
        .activation,
        "activate_all(\(target), \(placed.input.count), \(activation.kind), \(CText.number(activation.slope)))"
      )
    case .affine(let scale, let shift):
      add("float", "factors", tensors[scale].values.map(CText.number), 4)
      add("float", "shifts", tensors[shift].values.map(CText.number), 4)
      call(
        .affine,
        "affine(\(target), \(placed.input.channels), \(placed.input.planeCount), \(name)_factors, "
          + "\(name)_shifts)")
    }
    if !constants.isEmpty { constants = "/* \(number). \(Self.title(placed)) */" + constants }
  }

  private mutating func call(_ function: CFunction, _ statement: String) {
    functions.append(function)
    calls += "\n  \(statement);"
  }

  private func arithmetic(_ integers: Operation.IntegerScales?) -> CFunction.Arithmetic {
    integers == nil ? .floats : .integers(placed.givesBytes ? .bytes : .floats)
  }

  // MARK: Constants

  private mutating func add(
    _ type: String, _ what: String, _ elements: some Collection<String>, _ elementByteCount: Int
  ) {
    constants += "\n" + CText.array(type, "\(name)_\(what)", elements)
    byteCount += elements.count * elementByteCount
  }

  private mutating func add(_ type: String, fields: [String]) {
    constants += "\nstatic const struct \(type) \(name) = {\n"
    constants += fields.map { "  \($0),\n" }.joined() + "};"
  }

  private mutating func add(_ convolution: Operation.Convolution, _ tensors: [QuantizedMatrix]) {
    let (input, output, window) = (placed.input, placed.output, convolution.window)
    let sums = addWeights(
      tensors[convolution.weights], bias: convolution.bias, tensors, convolution.integers,
      convolution.activation)
    add(
      "convolution",
      fields: [
        ".channels = \(input.channels), .height = \(input.height), .width = \(input.width)",
        ".filters = \(output.channels), .rows = \(output.height), .columns = \(output.width)",
        ".kernel_height = \(window.height), .kernel_width = \(window.width)",
        ".down = \(window.down), .across = \(window.across), .top = \(convolution.top), "
          + ".left = \(convolution.left), .groups = \(convolution.groups)",
        sums,
      ])
  }

  private mutating func add(_ dense: Operation.Dense, _ tensors: [QuantizedMatrix]) {
    let sums = addWeights(
      tensors[dense.weights], bias: dense.bias, tensors, dense.integers, dense.activation)
    add("dense", fields: [".inputs = \(placed.input.count), .outputs = \(dense.outputs)", sums])
  }

  /// The weights, and what is done to their sums, once more as fields of a structure.
  private mutating func addWeights(
    _ weights: QuantizedMatrix, bias: Int, _ tensors: [QuantizedMatrix],
    _ integers: Operation.IntegerScales?, _ activation: Operation.Activation
  ) -> String {
    let storage = CStorage(weights)
    add(storage.type, "weights", storage.elements, storage.elementByteCount)
    // As the runtime's requantisation has it: sum · (weight scale · input / output) + bias / output.
    let (input, divisor) = (integers?.input, integers.map { $0.output > 0 ? $0.output : 1 } ?? 1)
    if !weights.scales.isEmpty {
      let factors = weights.scales.map { scale in input.map { scale * $0 / divisor } ?? scale }
      add("float", "factors", factors.map(CText.number), 4)
    }
    if bias != InkFormat.noTensor {
      add("float", "shifts", tensors[bias].values.map { CText.number($0 / divisor) }, 4)
    }
    return ".weights = \(name)_weights, .factors = \(weights.scales.isEmpty ? "0" : "\(name)_factors"), "
      + ".shifts = \(bias == InkFormat.noTensor ? "0" : "\(name)_shifts"),\n"
      + "  .activation = \(activation.kind), .slope = \(CText.number(activation.slope))"
  }

  private mutating func add(_ window: Operation.Window) {
    let (input, output) = (placed.input, placed.output)
    add(
      "pool",
      fields: [
        ".channels = \(input.channels), .height = \(input.height), .width = \(input.width)",
        ".rows = \(output.height), .columns = \(output.width)",
        ".window_height = \(window.height), .window_width = \(window.width)",
        ".down = \(window.down), .across = \(window.across)",
      ])
  }
}
