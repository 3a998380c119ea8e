import Inference
import Training

/// Turns operations into nodes, one after another, and knows what lies between them.
///
/// Whole-number arithmetic is written as it is usual: the values are quantised and at once dequantised, and all nodes
/// compute with floats as far as the file says; a runtime sees from it what it may do with whole numbers.
struct ONNXLayers {
  let network: LoweredNetwork
  let tensors: [QuantizedMatrix]
  let options: ONNXOptions
  private(set) var graph = ONNXGraph()
  /// The name of the values so far.
  private(set) var current: String
  /// Their extent without the number of images.
  private(set) var extent: Extent3
  /// Whether they have the shape [N, count] rather than [N, channels, height, width].
  private var isFlat = false
  /// What the bytes that they are made of have to be multiplied by; nil where they are any floats.
  private var byteScale: Float?
  /// That of the operation being written, from 1 on.
  private var number = 0

  init(
    _ network: LoweredNetwork, _ tensors: [QuantizedMatrix], _ options: ONNXOptions
  ) throws(InterchangeError) {
    (self.network, self.tensors, self.options) = (network, tensors, options)
    (current, extent) = (options.imageName, network.input.extent)
    try checkTensors()
    addImage()
    for operation in network.operations {
      number += 1
      try add(operation)
    }
    guard case .softmax? = network.operations.last else {
      throw InterchangeError("ONNX: expected a softmax as the last operation, found none; lower a checkpoint")
    }
    guard extent.count == network.labels.count, network.labelValues.count == network.labels.count else {
      throw InterchangeError(
        "ONNX: expected as many classes as the last layer has outputs, \(extent.count), found "
          + "\(network.labels.count) names and \(network.labelValues.count) label values; name each class")
    }
    addLabel()
  }

  // MARK: Ends

  private var usesWholeNumbers: Bool { network.operations.contains { $0.integers != nil } }

  private mutating func addImage() {
    let (input, isFloat) = (network.input, options.input == .float)
    if usesWholeNumbers {
      let zero = graph.add(ONNXTensor("image/zero", zeroOf: .uint8))
      if isFloat {
        let one = graph.add(ONNXTensor("image/one", floats: [1], shape: []))
        current = graph.add("QuantizeLinear", [current, one, zero], to: "image/pixels")
      }
      let scale = graph.add(ONNXTensor("image/scale", floats: [input.scale], shape: []))
      current = graph.add("DequantizeLinear", [current, scale, zero], to: "image/scaled")
      byteScale = input.offset == 0 ? input.scale : nil
    } else {
      if !isFloat { current = addCast(current, to: "image/floats") }
      let scale = graph.add(ONNXTensor("image/scale", floats: [input.scale], shape: []))
      current = graph.add("Mul", [current, scale], to: "image/scaled")
    }
    if input.offset != 0 {
      let offset = graph.add(ONNXTensor("image/offset", floats: [input.offset], shape: []))
      current = graph.add("Add", [current, offset], to: "image/shifted")
    }
  }

  /// The label value of the first of the most probable classes.
  private mutating func addLabel() {
    let values = network.labelValues
    let isIndex = values == Array(values.indices)
    let index = graph.add(
      "ArgMax", [current], to: isIndex ? options.labelName : "label/index",
      [.init("axis", .integer(1)), .init("keepdims", .integer(0))])
    if isIndex { return }
    let table = graph.add(ONNXTensor("label/values", int64s: values, shape: [values.count]))
    graph.add("Gather", [table, index], to: options.labelName, [.init("axis", .integer(0))])
  }

  // MARK: Operations

  private mutating func add(_ operation: Operation) throws(InterchangeError) {
    switch operation {
    case .convolution(let convolution): try add(convolution)
    case .dense(let dense): try add(dense)
    case .maximumPool(let window): try add("MaxPool", window)
    case .averagePool(let window): try add("AveragePool", window)
    case .globalAveragePool:
      addSpatial()
      current = graph.add("GlobalAveragePool", [current], to: name("output"))
      (extent, byteScale) = (Extent3(channels: extent.channels, height: 1, width: 1), nil)
    case .flatten: addFlat()
    case .softmax:
      addFlat()
      let isLast = number == network.operations.count
      current = graph.add(
        "Softmax", [current], to: isLast ? options.probabilitiesName : name("output"),
        [.init("axis", .integer(1))])
      byteScale = nil
    case .activation(let activation):
      add(activation)
      byteScale = nil
    case .affine(let scale, let shift): try addAffine(scale, shift)
    }
  }

  private mutating func add(_ convolution: Operation.Convolution) throws(InterchangeError) {
    addSpatial()
    let (window, groups) = (convolution.window, convolution.groups)
    guard groups > 0, extent.channels.isMultiple(of: groups), convolution.filters.isMultiple(of: groups)
    else {
      throw error(
        "channels and filters in \(groups) equal groups",
        "\(extent.channels) channels and \(convolution.filters) filters")
    }
    let inner = extent.channels / groups
    let weights = try addWeights(
      convolution.weights, rows: convolution.filters, shape: [inner, window.height, window.width],
      convolution.integers)
    let bias = try addBias(convolution.bias, rows: convolution.filters)
    let padded = Extent3(
      channels: convolution.filters, height: extent.height + convolution.top + convolution.bottom,
      width: extent.width + convolution.left + convolution.right)
    let padding = [convolution.top, convolution.left, convolution.bottom, convolution.right]
    current = graph.add(
      "Conv", [current, weights] + bias, to: name("sums"),
      window.attributes + [.init("pads", .integers(padding)), .init("group", .integer(groups))])
    extent = try windows(window, over: padded)
    try finish(convolution.activation, convolution.integers)
  }

  private mutating func add(_ dense: Operation.Dense) throws(InterchangeError) {
    addFlat()
    let weights = try addWeights(
      dense.weights, rows: dense.outputs, shape: [extent.count], dense.integers)
    let bias = try addBias(dense.bias, rows: dense.outputs)
    current = graph.add(
      "Gemm", [current, weights] + bias, to: name("sums"), [.init("transB", .integer(1))])
    extent = Extent3(channels: dense.outputs, height: 1, width: 1)
    try finish(dense.activation, dense.integers)
  }

  /// What follows the sums: the activation, and where whole numbers are handed on what makes them such.
  ///
  /// These are of the signed type though never negative: 127 is then their largest one without a further node.
  private mutating func finish(
    _ activation: Operation.Activation, _ integers: Operation.IntegerScales?
  ) throws(InterchangeError) {
    add(activation)
    byteScale = nil
    guard let integers, integers.output > 0 else { return }
    guard activation == .rectifier else {
      throw error("a ReLU where whole numbers are handed on", "another activation")
    }
    let scale = graph.add(ONNXTensor(name("scale"), floats: [integers.output], shape: []))
    let zero = graph.add(ONNXTensor(name("zero"), zeroOf: .int8))
    current = graph.add("QuantizeLinear", [current, scale, zero], to: name("bytes"))
    current = graph.add("DequantizeLinear", [current, scale, zero], to: name("values"))
    byteScale = integers.output
  }

  private mutating func add(_ activation: Operation.Activation) {
    switch activation {
    case .none: break
    case .rectifier: current = graph.add("Relu", [current], to: name("output"))
    case .leaky(let slope):
      current = graph.add("LeakyRelu", [current], to: name("output"), [.init("alpha", .float(slope))])
    }
  }

  private mutating func add(_ kind: String, _ window: Operation.Window) throws(InterchangeError) {
    addSpatial()
    current = graph.add(kind, [current], to: name("output"), window.attributes)
    extent = try windows(window, over: extent)
    if kind == "AveragePool" { byteScale = nil }
  }

  private mutating func addAffine(_ scale: Int, _ shift: Int) throws(InterchangeError) {
    let shape = isFlat ? [extent.channels] : [extent.channels, 1, 1]
    let factors = try column(scale, rows: extent.channels, "factors")
    let shifts = try column(shift, rows: extent.channels, "shifts")
    let factorsName = graph.add(ONNXTensor(name("factors"), floats: factors, shape: shape))
    let shiftsName = graph.add(ONNXTensor(name("shifts"), floats: shifts, shape: shape))
    current = graph.add("Mul", [current, factorsName], to: name("products"))
    current = graph.add("Add", [current, shiftsName], to: name("output"))
    byteScale = nil
  }

  // MARK: Shapes

  private mutating func addFlat() {
    if !isFlat { current = graph.add("Flatten", [current], to: name("flat"), [.init("axis", .integer(1))]) }
    (isFlat, extent) = (true, Extent3(channels: extent.count, height: 1, width: 1))
  }

  /// For what takes images, though each has a single pixel.
  private mutating func addSpatial() {
    guard isFlat else { return }
    let axes = graph.add(ONNXTensor(name("axes"), int64s: [2, 3], shape: [2]))
    current = graph.add("Unsqueeze", [current, axes], to: name("image"))
    isFlat = false
  }

  private func windows(_ window: Operation.Window, over image: Extent3) throws(InterchangeError) -> Extent3 {
    guard window.down > 0, window.across > 0, window.height > 0, window.width > 0,
      image.height >= window.height, image.width >= window.width
    else {
      throw error(
        "a window no larger than the image of \(image.height)×\(image.width)",
        "one of \(window.height)×\(window.width)")
    }
    return Extent3(
      channels: image.channels, height: (image.height - window.height) / window.down + 1,
      width: (image.width - window.width) / window.across + 1)
  }

  // MARK: Numbers

  /// The weights as floats, [rows, shape]; gives the name of the value that a node takes.
  private mutating func addWeights(
    _ index: Int, rows: Int, shape: [Int], _ integers: Operation.IntegerScales?
  ) throws(InterchangeError) -> String {
    let columns = shape.reduce(1, *)
    guard tensors.indices.contains(index), tensors[index].rows == rows, tensors[index].columns == columns
    else {
      let found =
        tensors.indices.contains(index) ? "\(tensors[index].rows)×\(tensors[index].columns)" : "none"
      throw error("weights of \(rows)×\(columns)", found)
    }
    let matrix = tensors[index]
    if let integers {
      guard !matrix.scales.isEmpty else { throw error("weights of whole numbers", "floats") }
      guard byteScale == integers.input else {
        throw error(
          "bytes of scale \(integers.input) to compute with",
          byteScale.map { "bytes of scale \($0)" } ?? "floats")
      }
    }
    if matrix.type == .int4, options.opset == .opset13 {
      throw error(
        "weights of at most opset 13, which has no int4", "int4", remedy: "write opset 21, or int8 weights")
    }
    let stored = graph.add(ONNXTensor(name("weights"), matrix, shape: [rows] + shape))
    switch matrix.type {
    case .float32: return stored
    case .float16: return addCast(stored, to: name("floats"))
    case .int8, .int4:
      let scales = graph.add(ONNXTensor(name("scales"), floats: matrix.scales, shape: [rows]))
      return graph.add(
        "DequantizeLinear", [stored, scales], to: name("floats"), [.init("axis", .integer(0))])
    }
  }

  private mutating func addCast(_ input: String, to output: String) -> String {
    graph.add("Cast", [input], to: output, [.init("to", .integer(ONNXFormat.Element.float.rawValue))])
  }

  private mutating func addBias(_ index: Int, rows: Int) throws(InterchangeError) -> [String] {
    guard index != InkFormat.noTensor else { return [] }
    return [graph.add(ONNXTensor(name("bias"), floats: try column(index, rows: rows, "bias"), shape: [rows]))]
  }

  private func column(_ index: Int, rows: Int, _ what: String) throws(InterchangeError) -> [Float] {
    guard tensors.indices.contains(index), tensors[index].rows == rows, tensors[index].columns == 1 else {
      let found =
        tensors.indices.contains(index) ? "\(tensors[index].rows)×\(tensors[index].columns)" : "none"
      throw error("a \(what) of \(rows)×1", found)
    }
    return tensors[index].values
  }

  private func checkTensors() throws(InterchangeError) {
    guard tensors.count == network.tensors.count else {
      throw InterchangeError(
        "ONNX: expected the \(network.tensors.count) tensors of the network as stored, found \(tensors.count); "
          + "store each of them")
    }
  }

  // MARK: Words

  private func name(_ what: String) -> String { "layer\(number)/\(what)" }

  private func error(
    _ expected: String, _ found: String, remedy: String = "lower a checkpoint and store its tensors"
  ) -> InterchangeError {
    InterchangeError("ONNX: operation \(number): expected \(expected), found \(found); \(remedy)")
  }
}

extension Operation {
  fileprivate var integers: IntegerScales? {
    switch self {
    case .convolution(let convolution): convolution.integers
    case .dense(let dense): dense.integers
    default: nil
    }
  }
}

extension Operation.Window {
  fileprivate var attributes: [ONNXNode.Attribute] {
    [.init("kernel_shape", .integers([height, width])), .init("strides", .integers([down, across]))]
  }
}
