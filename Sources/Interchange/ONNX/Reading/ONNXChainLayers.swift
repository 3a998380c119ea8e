import Inference
import PlainText
import Training

/// Rows and columns of zeros around an image.
struct ONNXPadding: Equatable {
  var top = 0
  var left = 0
  var bottom = 0
  var right = 0

  var isSome: Bool { self != ONNXPadding() }

  static func + (first: Self, second: Self) -> Self {
    Self(
      top: first.top + second.top, left: first.left + second.left, bottom: first.bottom + second.bottom,
      right: first.right + second.right)
  }
}

// Convolutions, dense layers and pools.
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

  mutating func addPool(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let isMaximum = node.kind == "MaxPool"
    let window = try window(node, kernel: node.attributes["kernel_shape"]?.integers ?? [])
    var padding = try paddingOf(node, window)
    var countsZeros = node.attributes["count_include_pad"]?.integer == 1
    if node.attributes["ceil_mode"]?.integer == 1 {
      // With the zeros that wait around the image, which are a part of it to the pool.
      var extent = try image()
      extent.height += self.padding.top + self.padding.bottom
      extent.width += self.padding.left + self.padding.right
      // One more window where there is a rest, unless it would begin behind the image.
      func rest(_ size: Int, before: Int, after: Int, _ kernel: Int, _ step: Int) -> Int {
        let all = before + size + after
        guard all >= kernel, (all - kernel) % step > 0 else { return 0 }
        let start = ((all - kernel) / step + 1) * step
        return start < before + size ? start + kernel - all : 0
      }
      let down = rest(
        extent.height, before: padding.top, after: padding.bottom, window.height, window.down)
      let across = rest(
        extent.width, before: padding.left, after: padding.right, window.width, window.across)
      (padding.bottom, padding.right) = (padding.bottom + down, padding.right + across)
      countsZeros = countsZeros && down == 0 && across == 0
    }
    if padding.isSome {
      guard isMaximum ? isNonNegative && !isOfPixels : countsZeros else {
        throw ONNXMisfit(
          expected: isMaximum
            ? "values of 0 or more, as after a ReLU, where a pool reaches over the edge"
            : "a pool that stays inside or counts the zeros at the edge",
          found: "one that reaches over the edge", remedy: "use a pool that stays inside")
      }
      self.padding = self.padding + padding
    }
    try settlePadding()
    let output = try output(image(), window, ONNXPadding(), channels: layout.extent.channels)
    list.add(isMaximum ? .maximumPool(window) : .averagePool(window))
    layout = ONNXLayout(image: output)
    if !isMaximum { byteScale = nil }
  }

  mutating func addGlobalPool(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    try settlePadding()
    if node.kind == "ReduceMean" {
      let keepsAxes = node.attributes["keepdims"]?.integer ?? 1 != 0
      let axes = try folding.axes(node) ?? []
      guard (1...4).contains(axes.count), let averaged = layout.averaged(over: axes, keepsAxes: keepsAxes)
      else {
        throw ONNXMisfit(
          expected: "a mean over rows and columns",
          found: "one over axes \(axes.prefix(8)) of \(layout.shape)")
      }
      layout = averaged
    } else {
      layout = ONNXLayout(image: Extent3(channels: try image().channels, height: 1, width: 1))
    }
    list.add(.globalAveragePool)
    byteScale = nil
  }

  mutating func addPadding(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let mode = node.attributes["mode"]?.text ?? "constant"
    var pads = node.attributes["pads"]?.integers ?? []
    var value = node.attributes["value"]?.float.map { Double($0) }
    if node.inputs.count > 1 { pads = try folding.integers(node.inputs[1]) }
    if let name = node.inputs[safe: 2], !name.isEmpty { value = try folding.constant(name).values.first }
    _ = try image()
    guard mode == "constant", value ?? 0 == 0, pads.count == 8, node.inputs.count < 4,
      [0, 1, 4, 5].allSatisfy({ pads[$0] == 0 }), pads.allSatisfy({ (0...255).contains($0) })
    else {
      throw ONNXMisfit(
        expected: "rows and columns of zeros", found: "\(mode.quoted) padding of \(pads.prefix(8))")
    }
    padding = padding + ONNXPadding(top: pads[2], left: pads[3], bottom: pads[6], right: pads[7])
  }

  /// Puts zeros that wait for a convolution around the image now: by one that hands its input on.
  mutating func settlePadding() throws(ONNXMisfit) {
    guard padding.isSome else { return }
    let extent = try image()
    let window = Operation.Window(height: 1, width: 1, down: 1, across: 1)
    let output = try output(extent, window, padding, channels: extent.channels)
    try folding.spend(extent.channels)
    let ones = [Float](repeating: 1, count: extent.channels)
    list.addConvolution(
      matrix(ones, rows: extent.channels), bias: nil, window: window,
      padding: (top: padding.top, left: padding.left, bottom: padding.bottom, right: padding.right),
      groups: extent.channels)
    padding = ONNXPadding()
    layout = ONNXLayout(image: output)
    byteScale = nil
  }

  /// Whether nothing was done but to choose among pixels, of which a later scaling may make negative values.
  private var isOfPixels: Bool {
    list.operations.allSatisfy { if case .maximumPool = $0 { true } else { false } }
  }

  /// The extent of an image; throws where the value is none.
  func image() throws(ONNXMisfit) -> Extent3 {
    guard layout.isImage else {
      throw ONNXMisfit(expected: "an image, [batch, channels, rows, columns]", found: "\(layout.shape)")
    }
    return layout.extent
  }

  private func matrix(_ values: [Float], rows: Int) -> LoweredNetwork.Matrix {
    LoweredNetwork.Matrix(rows: rows, columns: values.count / rows, values: values, isWeight: true)
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

  private func window(_ node: ONNXFile.Node, kernel: [Int]) throws(ONNXMisfit) -> Operation.Window {
    let strides = node.attributes["strides"]?.integers ?? [1, 1]
    let dilations = node.attributes["dilations"]?.integers ?? []
    guard kernel.count == 2, strides.count == 2, (kernel + strides).allSatisfy({ (1...255).contains($0) })
    else {
      throw ONNXMisfit(
        expected: "a window of two extents and steps, up to 255",
        found: "\(kernel.prefix(8)) by steps of \(strides.prefix(8))")
    }
    guard dilations.allSatisfy({ $0 == 1 }) else {
      throw ONNXMisfit(expected: "a window without gaps", found: "dilations of \(dilations.prefix(8))")
    }
    return Operation.Window(height: kernel[0], width: kernel[1], down: strides[0], across: strides[1])
  }

  /// The zeros that a convolution or pool asks for itself.
  private func paddingOf(
    _ node: ONNXFile.Node, _ window: Operation.Window
  ) throws(ONNXMisfit) -> ONNXPadding {
    let extent = try image()
    let isUpper: Bool
    switch node.attributes["auto_pad"]?.text ?? "NOTSET" {
    case "NOTSET", "":
      let pads = node.attributes["pads"]?.integers ?? [0, 0, 0, 0]
      guard pads.count == 4, pads.allSatisfy({ (0...255).contains($0) }) else {
        throw ONNXMisfit(expected: "four pads of 0 to 255", found: "\(pads.prefix(8))")
      }
      return ONNXPadding(top: pads[0], left: pads[1], bottom: pads[2], right: pads[3])
    case "VALID": return ONNXPadding()
    case "SAME_UPPER": isUpper = true
    case "SAME_LOWER": isUpper = false
    case let other: throw ONNXMisfit(expected: "a known auto_pad", found: other.quoted)
    }
    func zeros(_ size: Int, _ kernel: Int, _ step: Int) -> (before: Int, after: Int) {
      let all = max(0, ((size + step - 1) / step - 1) * step + kernel - size)
      return isUpper ? (all / 2, all - all / 2) : (all - all / 2, all / 2)
    }
    let down = zeros(extent.height + padding.top + padding.bottom, window.height, window.down)
    let across = zeros(extent.width + padding.left + padding.right, window.width, window.across)
    return ONNXPadding(top: down.before, left: across.before, bottom: down.after, right: across.after)
  }

  private func output(
    _ extent: Extent3, _ window: Operation.Window, _ padding: ONNXPadding, channels: Int
  ) throws(ONNXMisfit) -> Extent3 {
    let height = extent.height + padding.top + padding.bottom
    let width = extent.width + padding.left + padding.right
    guard height >= window.height, width >= window.width,
      max(padding.top, padding.left, padding.bottom, padding.right) <= 255
    else {
      throw ONNXMisfit(
        expected: "a window that fits into \(height)×\(width)",
        found: "one of \(window.height)×\(window.width)")
    }
    let output = Extent3(
      channels: channels, height: (height - window.height) / window.down + 1,
      width: (width - window.width) / window.across + 1)
    guard ONNXLayout.isAllowed(output) else {
      throw ONNXMisfit(
        expected: "at most 16,777,216 values", found: "\(channels)×\(output.height)×\(output.width)")
    }
    return output
  }
}
