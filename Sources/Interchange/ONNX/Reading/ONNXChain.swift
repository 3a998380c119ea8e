import Inference
import PlainText
import Training

/// The operations of an ONNX file, node by node: each takes what the one before gives, and what is known in advance.
struct ONNXChain {
  let file: ONNXFile
  var folding: ONNXFolding
  var list = OperationList()
  var layout: ONNXLayout
  /// What pixels become before the first operation, as the file's own values.
  var scale: Float = 1
  var offset: Float = 0
  /// Zeros that the next operation sees around the image.
  var padding = ONNXPadding()
  /// Whether no value can be below 0 unless a pixel is, so that zeros around an image never win against them.
  var isNonNegative = true
  /// What a stored byte times is the value, where values are rounded to bytes.
  var byteScale: Float?
  /// Arithmetic with whole numbers, by operation, and weights that are such, by tensor.
  var integers: [Int: Operation.IntegerScales] = [:]
  var wholeWeights: [Int: QuantizedMatrix] = [:]
  /// How values were rounded to numbers that are to be made values again.
  var quantized: (scale: Float, zero: Double)?
  /// Whether there was any such rounding.
  var roundsValues = false
  /// How many images the file is for, if it says so.
  private let batch: Int?
  /// Whether floats are made bytes before anything else, so that the input can only be that.
  var takesBytes = false
  /// Whether the classes' probabilities have been worked out, so that nothing may follow.
  var isFinished = false
  /// The value that the next node takes.
  private var current: String
  /// The shapes of the values so far, by name.
  private var shapes: [String: [Int]] = [:]

  init(_ file: ONNXFile, byteCount: Int, input: ONNXFile.ValueInfo, layout: ONNXLayout) {
    self.file = file
    folding = ONNXFolding(file, byteCount: byteCount)
    current = input.name
    batch = input.shape?.first ?? nil
    self.layout = layout
    shapes[current] = layout.shape
  }

  /// Reads all nodes that `output` needs. Throws an `InterchangeError` that names the first that cannot be had.
  mutating func read(upTo output: String, name: String) throws(InterchangeError) {
    let needed = nodesNeeded(for: output)
    for (index, node) in file.nodes.enumerated() where needed.contains(index) {
      do throws(ONNXMisfit) {
        if try !read(node) { break }
      } catch {
        let title = node.name.isEmpty ? "" : " \(node.name.quoted)"
        throw InterchangeError(
          "\(name): node \((index + 1).groupedDigits)\(title) (\(String(node.kind.prefix(40)).singleLine)): "
            + "expected \(error.expected), found \(error.found)"
            + (error.remedy.map { "; \($0)" } ?? "; export a plain chain of layers"))
      }
    }
    guard isFinished || current == output else {
      throw InterchangeError(
        "\(name): expected nodes that lead from the input to \(output.quoted), found an end at \(current.quoted); "
          + "export a plain chain of layers")
    }
  }

  private func nodesNeeded(for output: String) -> Set<Int> {
    let makers = Dictionary(
      file.nodes.enumerated().flatMap { index, node in node.outputs.map { ($0, index) } },
      uniquingKeysWith: { $1 })
    var (needed, open) = (Set<Int>(), [output])
    while let name = open.popLast() {
      guard let maker = makers[name], needed.insert(maker).inserted else { continue }
      open += file.nodes[maker].inputs
    }
    return needed
  }

  /// Takes one more node; false if nothing that follows matters.
  private mutating func read(_ node: ONNXFile.Node) throws(ONNXMisfit) -> Bool {
    guard node.domain.isEmpty || node.domain == "ai.onnx" else {
      throw ONNXMisfit(expected: "a standard operator", found: "one of the domain \(node.domain.quoted)")
    }
    if try folding.fold(node) { return true }
    let output = node.outputs.first ?? ""
    if node.kind == "Shape", let shape = shapes[node.inputs.first ?? ""] {
      folding.set(output, to: ONNXConstant(integers: ONNXShapes.part(of: shape, node)))
      return true
    }
    try checkInputs(node)
    // The label alone: the scores before it say more.
    if node.kind == "ArgMax" {
      try checkLabel(node)
      isFinished = true
      return false
    }
    if isFinished {
      // Other axes or types change no probability.
      let allowed = ["Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Dropout", "Cast"]
      guard allowed.contains(node.kind) else {
        throw ONNXMisfit(expected: "nothing after the softmax", found: "this node")
      }
    } else {
      try add(node)
    }
    current = output
    shapes[output] = shape
    return true
  }

  /// One input is what the node before gives, the first one except in sums and products.
  private mutating func checkInputs(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let computed = node.inputs.filter { !$0.isEmpty && !folding.isKnown($0) }
    guard computed.count == 1, computed.first == current else {
      let other = computed.first { $0 != current }
      throw ONNXMisfit(
        expected: "one value from the node before",
        found: other.map { "\($0.quoted) from elsewhere" }
          ?? "\(computed.isEmpty ? "none" : "it more than once")",
        remedy: "only chains can be read, without branches")
    }
    let isArithmetic = ["Add", "Sub", "Mul", "Div"].contains(node.kind)
    guard isArithmetic ? node.inputs.count == 2 : node.inputs.first == current else {
      throw ONNXMisfit(
        expected: "the value from the node before as the first input", found: "it in another place",
        remedy: "only constants can stand there")
    }
    let keepBytes = [
      "DequantizeLinear", "MaxPool", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Identity",
      "Dropout", "ArgMax",
    ]
    guard quantized == nil || keepBytes.contains(node.kind) else {
      throw ONNXMisfit(expected: "values that are dequantised first", found: "bytes")
    }
  }

  private mutating func checkLabel(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    try settlePadding()
    let axis = node.attributes["axis"]?.integer ?? 0
    guard layout.isWhole(axis < 0 ? axis + layout.shape.count : axis),
      node.attributes["select_last_index"]?.integer ?? 0 == 0
    else {
      throw ONNXMisfit(
        expected: "the first of the largest scores of an image", found: "axis \(axis) of \(layout.shape)")
    }
  }

  /// The shape of the values in the file, of one image.
  private var shape: [Int] {
    guard padding.isSome else { return layout.shape }
    let extent = layout.extent
    return [
      1, extent.channels, extent.height + padding.top + padding.bottom,
      extent.width + padding.left + padding.right,
    ]
  }

  private mutating func add(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    switch node.kind {
    case "Conv": try addConvolution(node)
    case "Gemm", "MatMul": try addDense(node)
    case "MaxPool", "AveragePool": try addPool(node)
    case "GlobalAveragePool", "ReduceMean": try addGlobalPool(node)
    case "Pad": try addPadding(node)
    case "Relu": addActivation(.rectifier)
    case "LeakyRelu": addActivation(.leaky(node.attributes["alpha"]?.float ?? 0.01))
    case "Add", "Sub", "Mul", "Div": try addArithmetic(node)
    case "BatchNormalization": try addNormalization(node)
    case "Softmax", "LogSoftmax": try addSoftmax(node)
    case "QuantizeLinear", "DequantizeLinear": try addQuantization(node)
    case "Identity": break
    case "Dropout": try checkDropout(node)
    case "Cast": try checkCast(node)
    case "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose": try changeLayout(node)
    default:
      throw ONNXMisfit(
        expected: "an operator that Inkling has",
        found: node.kind.isEmpty ? "none" : "another",
        remedy: "use another layer, and export the model again")
    }
  }

  private mutating func changeLayout(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    // Zeros around an image are a part of its shape.
    try settlePadding()
    let shape = layout.shape
    let changed: ONNXLayout?
    switch node.kind {
    case "Transpose":
      changed = layout.transposed(node.attributes["perm"]?.integers ?? shape.indices.reversed())
    case "Flatten": changed = ONNXShapes.flattened(shape, node).flatMap(layout.reshaped)
    case "Reshape":
      var target = try folding.target(of: node)
      // Where the file is for a number of images, it may say so here again.
      if let first = target?.first, first == batch { target?[0] = 1 }
      changed = target.flatMap { ONNXShapes.reshaped(shape, to: $0, node) }.flatMap(layout.reshaped)
    default:
      changed = ONNXShapes.changed(shape, node, axes: try folding.axes(node)).flatMap(layout.reshaped)
    }
    guard let changed else {
      throw ONNXMisfit(
        expected: "other axes for the values of one image",
        found: "a change of \(shape) that cuts through them or the batch")
    }
    layout = changed
  }

  /// Numbers that stay numbers; pixels may come as bytes.
  private mutating func checkCast(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let element = node.attributes["to"]?.integer.flatMap { ONNXElement(rawValue: $0) }
    switch element {
    case .float, .double, .float16, .bfloat16: break
    case .uint8, .uint16, .int16, .uint32, .int32, .uint64, .int64:
      guard list.operations.isEmpty, scale == 1, offset == 0 else {
        throw ONNXMisfit(expected: "floats", found: "a cast to whole numbers")
      }
      takesBytes = true
    default: throw ONNXMisfit(expected: "floats", found: "a cast to other numbers")
    }
  }

  private mutating func checkDropout(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    guard let name = node.inputs[safe: 2], !name.isEmpty else { return }
    guard try folding.constant(name).values == [0] else {
      throw ONNXMisfit(
        expected: "a dropout that drops nothing", found: "one in training",
        remedy: "export the model in evaluation mode")
    }
  }
}
