import Inference

/// What nodes become of each kind of operation.
extension ONNXLayers {
  mutating func add(_ convolution: Operation.Convolution) throws(InterchangeError) {
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

  mutating func add(_ dense: Operation.Dense) throws(InterchangeError) {
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
    bytes = nil
    guard let integers, integers.output > 0 else { return }
    guard activation == .rectifier else {
      throw error("a ReLU where whole numbers are handed on", "another activation")
    }
    let scale = graph.add(ONNXTensor(name("scale"), floats: [integers.output], shape: []))
    let zero = graph.add(ONNXTensor(name("zero"), zeroOf: .int8))
    let bytes = Bytes(scale: integers.output, parameters: [scale, zero])
    addQuantization(bytes)
    self.bytes = bytes
  }

  private mutating func addQuantization(_ bytes: Bytes) {
    current = graph.add("QuantizeLinear", [current] + bytes.parameters, to: name("bytes"))
    current = graph.add("DequantizeLinear", [current] + bytes.parameters, to: name("values"))
  }

  mutating func add(_ activation: Operation.Activation) {
    switch activation {
    case .none: break
    case .rectifier: current = graph.add("Relu", [current], to: name("output"))
    case .leaky(let slope):
      current = graph.add("LeakyRelu", [current], to: name("output"), [.init("alpha", .float(slope))])
    }
  }

  /// The largest of some bytes is one of them: saying so once more lets a runtime compare bytes.
  mutating func addMaximumPool(_ window: Operation.Window) throws(InterchangeError) {
    try addPool("MaxPool", window)
    if let bytes { addQuantization(bytes) }
  }

  mutating func addAveragePool(_ window: Operation.Window) throws(InterchangeError) {
    try addPool("AveragePool", window)
    bytes = nil
  }

  mutating func addGlobalAveragePool() {
    addSpatial()
    current = graph.add("GlobalAveragePool", [current], to: name("output"))
    (extent, bytes) = (Extent3(channels: extent.channels, height: 1, width: 1), nil)
  }

  private mutating func addPool(_ kind: String, _ window: Operation.Window) throws(InterchangeError) {
    addSpatial()
    current = graph.add(kind, [current], to: name("output"), window.attributes)
    extent = try windows(window, over: extent)
  }

  mutating func addAffine(_ scale: Int, _ shift: Int) throws(InterchangeError) {
    let shape = isFlat ? [extent.channels] : [extent.channels, 1, 1]
    let factors = try column(scale, rows: extent.channels, "factors")
    let shifts = try column(shift, rows: extent.channels, "shifts")
    let factorsName = graph.add(ONNXTensor(name("factors"), floats: factors, shape: shape))
    let shiftsName = graph.add(ONNXTensor(name("shifts"), floats: shifts, shape: shape))
    current = graph.add("Mul", [current, factorsName], to: name("products"))
    current = graph.add("Add", [current, shiftsName], to: name("output"))
    bytes = nil
  }
}

extension Operation.Window {
  fileprivate var attributes: [ONNXNode.Attribute] {
    [.init("kernel_shape", .integers([height, width])), .init("strides", .integers([down, across]))]
  }
}
