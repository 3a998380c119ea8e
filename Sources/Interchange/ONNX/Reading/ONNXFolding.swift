import PlainText

/// Works out nodes whose inputs are all known: constants that writers reshape, transpose, scale or put together.
struct ONNXFolding {
  private let file: ONNXFile
  /// What was worked out, by the name of the value.
  private var known: [String: ONNXConstant] = [:]
  /// How many numbers may still be worked out, so that a small file cannot fill the memory.
  private var budget: Int

  init(_ file: ONNXFile, byteCount: Int) {
    self.file = file
    budget = 8 * byteCount + 1 << 16
  }

  func isKnown(_ name: String) -> Bool { known[name] != nil || file.initializers[name] != nil }

  /// The numbers of a value. Throws an `ONNXMisfit` if they cannot be had.
  mutating func constant(_ name: String) throws(ONNXMisfit) -> ONNXConstant {
    if let constant = known[name] { return constant }
    guard let tensor = file.initializers[name] else {
      throw ONNXMisfit(
        expected: "an input that is known before the image is",
        found: "\"\(name)\", which is computed from it",
        remedy: "export a plain chain of layers")
    }
    let constant = try tensor.constant()
    try spend(constant.values.count)
    known[name] = constant
    return constant
  }

  mutating func set(_ name: String, to constant: ONNXConstant) { known[name] = constant }

  private mutating func spend(_ count: Int) throws(ONNXMisfit) {
    budget -= count
    guard budget >= 0 else {
      throw ONNXMisfit(
        expected: "constants in proportion to the file", found: "more", remedy: "simplify the model first")
    }
  }

  /// Works a node out if all its inputs are known. Throws an `ONNXMisfit` if it cannot be, though they are.
  mutating func fold(_ node: ONNXFile.Node) throws(ONNXMisfit) -> Bool {
    let inputs = node.inputs.filter { !$0.isEmpty }
    guard node.kind == "Constant" || !inputs.isEmpty, inputs.allSatisfy(isKnown),
      let output = node.outputs.first
    else { return false }
    known[output] = try result(of: node)
    return true
  }

  private mutating func result(of node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant {
    if node.kind == "Constant" { return try Self.constant(of: node) }
    let first = try constant(node.inputs[0])
    let result: ONNXConstant?
    switch node.kind {
    case "Identity", "Cast", "Dropout": result = first
    case "Reshape": result = try reshaped(first, node)
    case "Transpose":
      result = first.transposed(node.attributes["perm"]?.integers ?? first.shape.indices.reversed())
      try spend(first.values.count)
    case "Squeeze", "Unsqueeze":
      result = ONNXShapes.changed(first.shape, node, axes: try axes(node)).flatMap { first.reshaped($0) }
    case "Flatten": result = ONNXShapes.flattened(first.shape, node).flatMap { first.reshaped($0) }
    case "Shape": result = ONNXConstant(integers: first.shape)
    case "Gather":
      let axis = node.attributes["axis"]?.integer ?? 0
      let indices = try constant(node.inputs[safe: 1] ?? "")
      try spend(first.values.count + indices.values.count * (first.shape.dropFirst().reduce(1, *)))
      result = first.gathered(indices, axis: axis < 0 ? axis + first.shape.count : axis)
    case "Concat": result = try concatenated(node)
    case "Neg", "Sqrt", "Reciprocal":
      try spend(first.values.count)
      let function = Self.function(node.kind)
      result = ONNXConstant(shape: first.shape, values: first.values.map(function))
    case "Add", "Sub", "Mul", "Div": result = try combined(first, node)
    case "DequantizeLinear": result = try dequantized(first, node)
    default: result = nil
    }
    if let result { return result }
    throw ONNXMisfit(
      expected: "constants that are reshaped, transposed or computed with + - * /",
      found: "\(node.kind) of shapes "
        + (try node.inputs.filter { !$0.isEmpty }.map { name throws(ONNXMisfit) in
          "\(try constant(name).shape)"
        })
        .joined(separator: ", "),
      remedy: "export the model with its constants folded")
  }

  private static func constant(of node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant {
    if let tensor = node.attributes["value"]?.tensor { return try tensor.constant() }
    if let float = node.attributes["value_float"]?.float {
      return ONNXConstant(shape: [], values: [Double(float)])
    }
    if let integer = node.attributes["value_int"]?.integer {
      return ONNXConstant(shape: [], values: [Double(integer)])
    }
    if let floats = node.attributes["value_floats"]?.floats {
      return ONNXConstant(shape: [floats.count], values: floats.map { Double($0) })
    }
    if let integers = node.attributes["value_ints"]?.integers { return ONNXConstant(integers: integers) }
    throw ONNXMisfit(expected: "a constant of numbers", found: "one without")
  }

  private static func function(_ kind: String) -> (Double) -> Double {
    switch kind {
    case "Neg": { -$0 }
    case "Sqrt": { $0.squareRoot() }
    default: { 1 / $0 }
    }
  }

  private mutating func reshaped(
    _ value: ONNXConstant, _ node: ONNXFile.Node
  ) throws(ONNXMisfit) -> ONNXConstant? {
    let target =
      try node.inputs.count > 1 ? constant(node.inputs[1]).integers : node.attributes["shape"]?.integers ?? []
    return ONNXShapes.reshaped(value.shape, to: target, node).flatMap { value.reshaped($0) }
  }

  /// The axes of a node that has them as an attribute, or since opset 13 as an input; nil for none.
  mutating func axes(_ node: ONNXFile.Node) throws(ONNXMisfit) -> [Int]? {
    if let attribute = node.attributes["axes"] { return attribute.integers }
    guard node.inputs.count > 1, !node.inputs[1].isEmpty else { return nil }
    return try constant(node.inputs[1]).integers
  }

  private mutating func concatenated(_ node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant? {
    var values: [Double] = []
    // Only lists, such as shapes that are put together.
    for name in node.inputs {
      let part = try constant(name)
      guard part.shape.count == 1 else { return nil }
      values += part.values
    }
    try spend(values.count)
    return ONNXConstant(shape: [values.count], values: values)
  }

  private mutating func combined(
    _ first: ONNXConstant, _ node: ONNXFile.Node
  ) throws(ONNXMisfit) -> ONNXConstant? {
    let second = try constant(node.inputs[safe: 1] ?? "")
    guard let shape = ONNXConstant.commonShape(first.shape, second.shape),
      let count = ONNXConstant.count(shape)
    else { return nil }
    try spend(3 * count)
    guard let left = first.broadcast(to: shape), let right = second.broadcast(to: shape) else { return nil }
    return ONNXConstant(
      shape: shape,
      values: zip(left.values, right.values).map { left, right in
        switch node.kind {
        case "Add": left + right
        case "Sub": left - right
        case "Mul": left * right
        default: left / right
        }
      })
  }

  /// (number - zero) · scale, with a scale and a zero for all or for each slice along an axis.
  private mutating func dequantized(
    _ value: ONNXConstant, _ node: ONNXFile.Node
  ) throws(ONNXMisfit) -> ONNXConstant? {
    let scale = try constant(node.inputs[safe: 1] ?? "")
    let zero =
      node.inputs.count > 2 && !node.inputs[2].isEmpty
      ? try constant(node.inputs[2]) : ONNXConstant(shape: [], values: [0])
    let axis = node.attributes["axis"]?.integer ?? 1
    let place = axis < 0 ? axis + value.shape.count : axis
    func spread(_ factors: ONNXConstant) -> ONNXConstant? {
      if factors.values.count == 1 { return factors.reshaped([])?.broadcast(to: value.shape) }
      guard value.shape.indices.contains(place), factors.shape == [value.shape[place]] else { return nil }
      let aligned = value.shape.indices.map { $0 == place ? value.shape[place] : 1 }
      return factors.reshaped(aligned)?.broadcast(to: value.shape)
    }
    try spend(3 * value.values.count)
    guard let scales = spread(scale), let zeros = spread(zero) else { return nil }
    let numbers = value.values.indices.map {
      // As runtimes do it, in single precision.
      Double(Float(value.values[$0] - zeros.values[$0]) * Float(scales.values[$0]))
    }
    return ONNXConstant(shape: value.shape, values: numbers)
  }
}

extension Collection {
  /// The element at an index that may lie outside.
  subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
