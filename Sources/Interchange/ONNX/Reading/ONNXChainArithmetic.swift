import Inference
import Training

// What happens to each value by itself, and the softmax.
extension ONNXChain {
  mutating func addActivation(_ activation: Operation.Activation) {
    // Zeros at the edge stay zeros.
    list.add(activation)
    isNonNegative = activation == .rectifier
    byteScale = nil
  }

  /// A value and a constant, one the first and one the second operand: a factor and a shift for each channel.
  mutating func addArithmetic(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let isConstantFirst = folding.isKnown(node.inputs[safe: 0] ?? "")
    let constant = try folding.constant(node.inputs[safe: isConstantFirst ? 0 : 1] ?? "")
    // Both operands are of the constant's type: in bytes a sum runs over, and a quotient of whole numbers is one.
    guard constant.element.bounds == nil, !(constant.element.isWhole && node.kind == "Div") else {
      throw ONNXMisfit(
        expected: "arithmetic with floats", found: "some with whole numbers, which are cut off",
        remedy: "cast the values to float first")
    }
    let numbers = try channelNumbers(aligned(constant, node))
    switch (node.kind, isConstantFirst) {
    case ("Add", _): try addAffine(factors: numbers.map { _ in 1 }, shifts: numbers)
    case ("Sub", false): try addAffine(factors: numbers.map { _ in 1 }, shifts: numbers.map { -$0 })
    case ("Sub", true): try addAffine(factors: numbers.map { _ in -1 }, shifts: numbers)
    case ("Mul", _): try addAffine(factors: numbers, shifts: numbers.map { _ in 0 })
    case ("Div", false): try addAffine(factors: numbers.map { 1 / $0 }, shifts: numbers.map { _ in 0 })
    default:
      throw ONNXMisfit(expected: "a value that is divided by a constant", found: "a constant divided by it")
    }
  }

  /// (x - mean) / √(variance + ε) · scale + bias for each channel.
  mutating func addNormalization(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    guard node.inputs.count == 5, node.attributes["training_mode"]?.integer ?? 0 == 0,
      node.outputs.dropFirst().allSatisfy(\.isEmpty)
    else {
      throw ONNXMisfit(
        expected: "batch normalisation with running statistics", found: "one that is in training",
        remedy: "export the model in evaluation mode")
    }
    var parameters: [[Double]] = []
    for name in node.inputs.dropFirst() { parameters.append(try folding.constant(name).values) }
    let count = layout.extent.channels
    guard layout.axes.first == (count > 1 ? [.channel] : []), parameters.allSatisfy({ $0.count == count })
    else {
      throw ONNXMisfit(
        expected: "statistics for \(count) channels", found: "\(parameters.map(\.count)) for \(layout.shape)")
    }
    let epsilon = Double(node.attributes["epsilon"]?.float ?? 1e-5)
    let factors = (0..<count).map { parameters[0][$0] / (parameters[3][$0] + epsilon).squareRoot() }
    try addAffine(
      factors: factors, shifts: (0..<count).map { parameters[1][$0] - parameters[2][$0] * factors[$0] })
  }

  mutating func addSoftmax(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    try settlePadding()
    let axis = node.attributes["axis"]?.integer ?? (file.opset < 13 ? 1 : -1)
    let place = axis < 0 ? axis + layout.shape.count : axis
    // Up to opset 12 all axes from that one on are one.
    let isWhole =
      file.opset < 13
      ? place >= 1 && layout.shape[..<min(place, layout.shape.count)].allSatisfy { $0 == 1 }
      : layout.isWhole(place)
    guard isWhole else {
      throw ONNXMisfit(
        expected: "a softmax over all values of an image", found: "one over a part of \(layout.shape)")
    }
    isFinished = true
  }

  /// Bytes that stand for values: rounding to them is kept where whole-number arithmetic can do the same.
  mutating func addQuantization(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let scale = try folding.constant(node.inputs[safe: 1] ?? "")
    let zeros = try folding.zero(of: node)
    guard scale.values.count == 1, zeros.values.count == 1, Float(scale.values[0]) > 0 else {
      throw ONNXMisfit(
        expected: "one scale above 0 for all values", found: "scales of \(scale.shape)",
        remedy: "quantise values by tensor")
    }
    let (step, zero) = (Float(scale.values[0]), zeros.values[0])
    let last = list.operations.count - 1
    if node.kind == "QuantizeLinear" {
      // What would be less than the least number becomes it.
      if !isNonNegative, zero == zeros.element.bounds?.lowerBound { addActivation(.rectifier) }
      (quantized, roundsValues) = ((step, zero), true)
      if zero == 0, zeros.element == .int8, integers[last] != nil, list.operations[last].isRectifiedSum {
        integers[last]?.output = step
      }
      return
    }
    let (given, shift) = quantized ?? (1, 0)
    let isRounded = quantized != nil
    quantized = nil
    if isRounded, given == step, shift == zero {
      byteScale = zero == 0 && (byteScale == step || integers[last]?.output == step) ? step : nil
      return
    }
    // Pixels that come as bytes, or that were made such.
    if list.operations.isEmpty, self.scale == 1, offset == 0, given == 1, shift == 0 { takesBytes = true }
    let factor = scale.values[0] / Double(given)
    try addAffine(factors: [factor], shifts: [(shift - zero) * scale.values[0]])
    byteScale = list.operations.isEmpty && offset == 0 && takesBytes ? self.scale : nil
  }

  /// Before opset 7 an operand said by an attribute which axis its first one goes with; since then its last one goes with
  /// the last.
  private func aligned(_ constant: ONNXConstant, _ node: ONNXFile.Node) -> ONNXConstant {
    guard file.opset < 7, let axis = node.attributes["axis"]?.integer else { return constant }
    let (rank, axes) = (layout.shape.count, constant.shape.count)
    let place = axis < 0 ? axis + rank : axis
    guard place >= 0, axes <= rank, place <= rank - axes else { return constant }
    return constant.reshaped(constant.shape + Array(repeating: 1, count: rank - axes - place)) ?? constant
  }

  /// What a constant says for each channel, where it says the same for all its rows and columns.
  private func channelNumbers(_ constant: ONNXConstant) throws(ONNXMisfit) -> [Double] {
    let shape = layout.shape
    guard ONNXConstant.commonShape(constant.shape, shape) == shape else {
      throw ONNXMisfit(expected: "a constant that fits to \(shape)", found: "one of \(constant.shape)")
    }
    if constant.values.count == 1 { return constant.values }
    let channels = layout.extent.channels
    guard constant.values.count == channels, let axis = layout.channelAxis,
      // From the right, the axis that the constant's numbers lie along.
      constant.shape.count - (constant.shape.firstIndex(of: channels) ?? 0) == layout.axes.count - axis
    else {
      throw ONNXMisfit(
        expected: "a number for each channel, or one for all", found: "\(constant.shape) for \(shape)")
    }
    return constant.values
  }

  /// One factor and shift for all, or one for each channel.
  private mutating func addAffine(factors: [Double], shifts: [Double]) throws(ONNXMisfit) {
    try settlePadding()
    isNonNegative = false
    byteScale = nil
    let isUniform = Set(factors).count == 1 && Set(shifts).count == 1
    if list.operations.isEmpty, isUniform {
      scale *= Float(factors[0])
      offset = offset * Float(factors[0]) + Float(shifts[0])
      isNonNegative = scale >= 0 && offset >= 0
      return
    }
    let channels = layout.extent.channels
    try folding.spend(2 * channels + list.countOfLastWeights)
    func spread(_ numbers: [Double]) -> [Float] {
      numbers.count == 1 ? [Float](repeating: Float(numbers[0]), count: channels) : numbers.map { Float($0) }
    }
    // The last sums are others then.
    if list.countOfLastWeights > 0, let weights = list.operations.last?.weights {
      (integers[list.operations.count - 1], wholeWeights[weights]) = (nil, nil)
    }
    list.addAffine(factors: spread(factors), shifts: spread(shifts))
  }
}

extension OperationList {
  /// How many weights are changed where a factor is folded into them.
  fileprivate var countOfLastWeights: Int {
    switch operations.last {
    case .convolution(let last) where last.activation == .none: tensors[last.weights].values.count
    case .dense(let last) where last.activation == .none: tensors[last.weights].values.count
    default: 0
    }
  }
}

extension Operation {
  /// Whether this is a sum behind which negative values became 0.
  fileprivate var isRectifiedSum: Bool {
    switch self {
    case .convolution(let convolution): convolution.activation == .rectifier
    case .dense(let dense): dense.activation == .rectifier
    default: false
    }
  }
}
