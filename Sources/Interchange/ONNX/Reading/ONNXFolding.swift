import PlainText

/// Works out nodes whose inputs are all known: constants that writers reshape, transpose, scale or put together.
struct ONNXFolding {
  private let file: ONNXFile
  /// What was worked out, by the name of the value.
  private var known: [String: ONNXConstant] = [:]
  /// How many numbers may still be worked out, so that a small file can fill neither memory nor time.
  private var budget: Int

  init(_ file: ONNXFile, byteCount: Int) {
    self.file = file
    // Weights of half a byte that are read, made floats, transposed and used take eight for each byte.
    budget = 10 * byteCount + 65_536
  }

  func isKnown(_ name: String) -> Bool { known[name] != nil || file.initializers[name] != nil }

  /// The numbers of a value. Throws an `ONNXMisfit` if they cannot be had.
  mutating func constant(_ name: String) throws(ONNXMisfit) -> ONNXConstant {
    if let constant = known[name] { return constant }
    guard let tensor = file.initializers[name] else {
      throw ONNXMisfit(
        expected: "an input that is known before the image is",
        found: name.isEmpty ? "none" : "\(name.quoted), which is computed from it",
        remedy: "export a plain chain of layers")
    }
    let constant = try tensor.constant()
    try spend(constant.values.count)
    known[name] = constant
    return constant
  }

  /// The whole numbers of a value that stands for a shape, axes or places: few.
  mutating func integers(_ name: String) throws(ONNXMisfit) -> [Int] {
    let constant = try constant(name)
    guard constant.values.count <= 2 * ONNXConstant.mostAxes, let integers = constant.integers else {
      throw ONNXMisfit(
        expected: "a few whole numbers", found: "\(name.quoted) of shape \(constant.shape)")
    }
    return integers
  }

  mutating func set(_ name: String, to constant: ONNXConstant) { known[name] = constant }

  /// Accounts for numbers that are computed or kept. Throws an `ONNXMisfit` where there are too many for the file.
  mutating func spend(_ count: Int) throws(ONNXMisfit) {
    budget -= count
    guard budget >= 0 else {
      throw ONNXMisfit(
        expected: "numbers in proportion to the file", found: "more", remedy: "simplify the model first")
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
    case "Identity", "Dropout": result = first
    case "Cast":
      try spend(first.values.count)
      result = Self.cast(first, node)
    case "Reshape":
      let target = try target(of: node) ?? []
      result = ONNXShapes.reshaped(first.shape, to: target, node).flatMap { first.reshaped($0) }
    case "Transpose":
      try spend(first.values.count)
      result = first.transposed(node.attributes["perm"]?.integers ?? first.shape.indices.reversed())
    case "Squeeze", "Unsqueeze":
      result = ONNXShapes.changed(first.shape, node, axes: try axes(node)).flatMap { first.reshaped($0) }
    case "Flatten": result = ONNXShapes.flattened(first.shape, node).flatMap { first.reshaped($0) }
    case "Shape": result = ONNXConstant(integers: ONNXShapes.part(of: first.shape, node))
    case "Gather": result = try gathered(first, node)
    case "Slice": result = try sliced(first, node)
    case "Concat": result = try concatenated(node)
    case "ConstantOfShape": result = try filled(node)
    case "Neg", "Sqrt", "Reciprocal":
      try spend(first.values.count)
      result = first.mapped(Self.function(node.kind))
    case "Add", "Sub", "Mul", "Div": result = try combined(first, node)
    case "DequantizeLinear", "QuantizeLinear": result = try scaled(first, node)
    default: result = nil
    }
    if let result { return result }
    var shapes: [String] = []
    for name in node.inputs.prefix(8) where !name.isEmpty { shapes.append("\(try constant(name).shape)") }
    throw ONNXMisfit(
      expected: "constants that are reshaped, transposed or computed with + - * /",
      found: "\(node.kind.prefix(40)) of shapes \(shapes.joined(separator: ", "))",
      remedy: "export the model with its constants folded")
  }

  private static func constant(of node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant {
    if let tensor = node.attributes["value"]?.tensor { return try tensor.constant() }
    if let float = node.attributes["value_float"]?.float {
      return ONNXConstant(shape: [], values: [Double(float)], element: .float)
    }
    if let integer = node.attributes["value_int"]?.integer {
      return ONNXConstant(shape: [], values: [Double(integer)], element: .int64)
    }
    if let floats = node.attributes["value_floats"]?.floats {
      return ONNXConstant(shape: [floats.count], values: floats.map { Double($0) }, element: .float)
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

  /// What a reshape asks for, as an input or before opset 5 as an attribute; nil for neither.
  mutating func target(of node: ONNXFile.Node) throws(ONNXMisfit) -> [Int]? {
    try node.inputs.count > 1 ? integers(node.inputs[1]) : node.attributes["shape"]?.integers
  }

  /// The axes of a node that has them as an attribute, or since opset 13 as an input; nil for none.
  mutating func axes(_ node: ONNXFile.Node) throws(ONNXMisfit) -> [Int]? {
    if let attribute = node.attributes["axes"] { return attribute.integers }
    guard node.inputs.count > 1, !node.inputs[1].isEmpty else { return nil }
    return try integers(node.inputs[1])
  }
}
