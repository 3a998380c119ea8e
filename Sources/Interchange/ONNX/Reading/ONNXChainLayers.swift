import Inference
import PlainText
import Training

// Convolutions and dense layers.
extension ONNXChain {
  mutating func addConvolution(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let weights = try folding.constant(node.inputs[safe: 1] ?? "")
    try folding.spend(weights.values.count)
    let groups = node.attributes["group"]?.integer ?? 1
    let extent = try image()
    guard weights.shape.count == 4, weights.shape.allSatisfy({ $0 > 0 }),
      (1...extent.channels).contains(groups), weights.shape[1] * groups == extent.channels,
      weights.shape[0] % groups == 0
    else {
      throw ONNXMisfit(
        expected: "weights for \(extent.channels.of("channel")) in \(groups) groups",
        found: "weights of \(weights.shape)")
    }
    let filters = weights.shape[0]
    let kernel = Array(weights.shape[2...])
    guard node.attributes["kernel_shape"]?.integers ?? kernel == kernel else {
      throw ONNXMisfit(expected: "a kernel_shape of \(kernel)", found: "another one")
    }
    let window = try window(node, kernel: kernel)
    let padding = try paddingOf(node, window) + self.padding
    let bias = try bias(node.inputs[safe: 2], count: filters)
    let output = try output(extent, window, padding, channels: filters)
    self.padding = ONNXPadding()
    list.addConvolution(
      matrix(weights.floats, rows: filters), bias: bias, window: window,
      padding: (top: padding.top, left: padding.left, bottom: padding.bottom, right: padding.right),
      groups: groups)
    didAddSum(ONNXLayout(image: output), weights.whole)
  }

  mutating func addDense(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    try settlePadding()
    let isGemm = node.kind == "Gemm"
    var weights = try folding.constant(node.inputs[safe: 1] ?? "")
    guard layout.isVector, weights.shape.count == 2 else {
      throw ONNXMisfit(
        expected: "a vector times a matrix", found: "\(layout.shape) times \(weights.shape)",
        remedy: "flatten the image first")
    }
    let isTransposed = isGemm && node.attributes["transB"]?.integer ?? 0 != 0
    try folding.spend((isTransposed ? 1 : 2) * weights.values.count)
    if !isTransposed { weights = weights.transposed([1, 0]) ?? weights }
    let (outputs, inputs) = (weights.shape[0], weights.shape[1])
    guard inputs == layout.extent.count, outputs > 0, node.attributes["transA"]?.integer ?? 0 == 0 else {
      throw ONNXMisfit(
        expected: "a matrix for \(layout.extent.count.groupedDigits) values",
        found: "one for \(inputs.groupedDigits)")
    }
    func factor(_ name: String) -> Float { isGemm ? node.attributes[name]?.float ?? 1 : 1 }
    let (alpha, beta) = (factor("alpha"), factor("beta"))
    var values = weights.floats.map { $0 * alpha }
    // Only weights that stay as they are in the file.
    var whole = alpha == 1 ? weights.whole : nil
    if let places = layout.vectorPlaces {
      whole = nil
      // The file flattens in another order, such as that of rows, columns, channels.
      var ordered = values
      for row in 0..<outputs {
        for (index, place) in places.enumerated() {
          ordered[row * inputs + place] = values[row * inputs + index]
        }
      }
      values = ordered
    }
    let bias = try isGemm ? bias(node.inputs[safe: 2], count: outputs).map { $0.map { $0 * beta } } : nil
    list.addDense(matrix(values, rows: outputs), bias: bias)
    didAddSum(ONNXLayout(vector: outputs, leading: layout.axes.count - 1), whole)
  }

  /// One number for each output; nil for an input that is left out.
  private mutating func bias(_ name: String?, count: Int) throws(ONNXMisfit) -> [Float]? {
    guard let name, !name.isEmpty else { return nil }
    let values = try folding.constant(name)
    guard let bias = values.broadcast(to: [1, count])?.floats else {
      throw ONNXMisfit(expected: "a bias for \(count.groupedDigits) outputs", found: "one of \(values.shape)")
    }
    return bias
  }

  /// With `whole` weights and bytes that come in, the sums can be had with whole numbers.
  private mutating func didAddSum(_ layout: ONNXLayout, _ whole: QuantizedMatrix?) {
    self.layout = layout
    isNonNegative = false
    if let whole, let weights = list.operations.last?.weights {
      wholeWeights[weights] = whole
      if let byteScale {
        integers[list.operations.count - 1] = Operation.IntegerScales(input: byteScale, output: 0)
      }
    }
    byteScale = nil
  }

  func matrix(_ values: [Float], rows: Int) -> LoweredNetwork.Matrix {
    LoweredNetwork.Matrix(rows: rows, columns: values.count / rows, values: values, isWeight: true)
  }
}
