import Inference

// What single operators make of constants; nil where Inkling does not do it.
extension ONNXFolding {
  static func cast(_ value: ONNXConstant, _ node: ONNXFile.Node) -> ONNXConstant? {
    guard let element = node.attributes["to"]?.integer.flatMap({ ONNXElement(rawValue: $0) }) else {
      return nil
    }
    switch element {
    case .double: return value.mapped(as: element) { $0 }
    case .float: return value.mapped(as: element) { Double(Float($0)) }
    case .bool: return value.mapped(as: element) { $0 == 0 ? 0 : 1 }
    case .int32, .int64:
      // Beyond the type's range any number may come out.
      let limit = element == .int32 ? 0x1p31 : 0x1p63
      guard value.values.allSatisfy({ $0.magnitude < limit || $0 == -limit || value.element == element })
      else {
        return nil
      }
      return value.mapped(as: element) { $0.rounded(.towardZero) }
    case .uint8, .int8, .uint16, .int16:
      guard let bounds = element.bounds, value.values.allSatisfy({ bounds.contains($0.rounded(.towardZero)) })
      else { return nil }
      return value.mapped(as: element) { $0.rounded(.towardZero) }
    case .float16, .bfloat16, .uint32, .uint64, .string, .uint4, .int4: return nil
    }
  }

  mutating func gathered(
    _ value: ONNXConstant, _ node: ONNXFile.Node
  ) throws(ONNXMisfit) -> ONNXConstant? {
    let axis = node.attributes["axis"]?.integer ?? 0
    let place = axis < 0 ? axis + value.shape.count : axis
    let indices = try constant(node.inputs[safe: 1] ?? "")
    guard let count = value.gatheredShape(indices, axis: place).flatMap(ONNXConstant.count) else {
      return nil
    }
    try spend(indices.values.count)
    try spend(count)
    return value.gathered(indices, axis: place)
  }

  /// Along each of some axes every so many elements from one place up to another.
  mutating func sliced(_ value: ONNXConstant, _ node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant? {
    let far = 1 << 40
    func few(_ index: Int, _ name: String) throws(ONNXMisfit) -> [Int]? {
      if let attribute = node.attributes[name] { return attribute.integers }
      guard let input = node.inputs[safe: index], !input.isEmpty else { return nil }
      let numbers = try constant(input).values
      guard numbers.count <= ONNXConstant.mostAxes, numbers.allSatisfy({ !$0.isNaN }) else { return nil }
      // The largest and smallest integers stand for the ends.
      return numbers.map { Int(max(-Double(far), min(Double(far), $0))) }
    }
    guard let starts = try few(1, "starts"), let ends = try few(2, "ends") else { return nil }
    let axes = try few(3, "axes") ?? Array(starts.indices)
    let steps = try few(4, "steps") ?? [Int](repeating: 1, count: starts.count)
    guard ends.count == starts.count, axes.count == starts.count, steps.count == starts.count else {
      return nil
    }
    var result = value
    for (index, axis) in axes.enumerated() {
      let place = axis < 0 ? axis + value.shape.count : axis
      guard value.shape.indices.contains(place), steps[index] != 0 else { return nil }
      let (extent, step) = (result.shape[place], max(-far, min(far, steps[index])))
      // A stride backwards may begin at the last and end before the first.
      let allowed = step > 0 ? (0, extent) : (-1, extent - 1)
      func bounded(_ number: Int) -> Int {
        max(allowed.0, min(allowed.1, number < 0 ? max(number, -far) + extent : number))
      }
      let places = Array(stride(from: bounded(starts[index]), to: bounded(ends[index]), by: step))
      try spend(places.count)
      try spend(result.values.count)
      guard let slice = result.gathered(ONNXConstant(integers: places), axis: place) else { return nil }
      result = slice
    }
    return result
  }

  /// Lists one behind the other, such as shapes that are put together.
  mutating func concatenated(_ node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant? {
    var values: [Double] = []
    let element = try constant(node.inputs[0]).element
    for name in node.inputs {
      let part = try constant(name)
      guard part.shape.count == 1 else { return nil }
      try spend(part.values.count)
      values += part.values
    }
    return ONNXConstant(shape: [values.count], values: values, element: element)
  }

  mutating func filled(_ node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant? {
    let shape = try integers(node.inputs[0])
    let value =
      try node.attributes["value"]?.tensor?.constant()
      ?? ONNXConstant(shape: [1], values: [0], element: .float)
    guard let count = ONNXConstant.count(shape), let number = value.values.first, value.values.count == 1
    else {
      return nil
    }
    try spend(count)
    return ONNXConstant(
      shape: shape, values: [Double](repeating: number, count: count), element: value.element)
  }

  mutating func combined(_ first: ONNXConstant, _ node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant? {
    let second = try constant(node.inputs[safe: 1] ?? "")
    guard let shape = ONNXConstant.commonShape(first.shape, second.shape),
      let count = ONNXConstant.count(shape)
    else { return nil }
    try spend(3 * count)
    guard let left = first.broadcast(to: shape), let right = second.broadcast(to: shape) else { return nil }
    let (kind, isWhole) = (node.kind, first.element.isWhole)
    let values = zip(left.values, right.values).map { left, right in
      switch kind {
      case "Add": left + right
      case "Sub": left - right
      case "Mul": left * right
      default: isWhole ? (left / right).rounded(.towardZero) : left / right
      }
    }
    // Whole numbers of a byte or two would run over.
    if let bounds = first.element.bounds, !values.allSatisfy(bounds.contains) { return nil }
    return ONNXConstant(shape: shape, values: values, element: first.element)
  }

  /// The number that stands for 0, by which a node also says what type it rounds to.
  mutating func zero(of node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant {
    if let name = node.inputs[safe: 2], !name.isEmpty { return try constant(name) }
    let type = node.kind == "QuantizeLinear" ? node.attributes["output_dtype"]?.integer ?? 0 : 0
    return ONNXConstant(
      shape: [], values: [0], element: type == 0 ? .uint8 : ONNXElement(rawValue: type) ?? .string)
  }

  /// (number - zero) · scale, or number / scale + zero rounded, with a scale and a zero for all or for each slice along
  /// an axis; in single precision, as runtimes do it.
  mutating func scaled(_ value: ONNXConstant, _ node: ONNXFile.Node) throws(ONNXMisfit) -> ONNXConstant? {
    let scale = try constant(node.inputs[safe: 1] ?? "")
    let zero = try zero(of: node)
    let axis = node.attributes["axis"]?.integer ?? 1
    let place = axis < 0 ? axis + value.shape.count : axis
    /// Of which numbers that belong to one slice there are this many side by side.
    let isEach = scale.values.count != 1 || zero.values.count != 1
    var (extent, inner) = (1, 1)
    if isEach {
      guard value.shape.indices.contains(place) else { return nil }
      (extent, inner) = (value.shape[place], value.shape[(place + 1)...].reduce(1, *))
      for each in [scale, zero] where each.values.count != 1 && each.shape != [extent] { return nil }
    }
    // Scales for blocks within a slice have a shape of their own, and are none of these.
    guard node.attributes["block_size"]?.integer ?? 0 == 0, extent > 0 else { return nil }
    try spend(value.values.count)
    let (scales, zeros, isBack) = (scale.values, zero.values, node.kind == "DequantizeLinear")
    guard let bounds = isBack ? -Double.infinity...Double.infinity : zero.element.bounds else { return nil }
    let numbers = value.values.indices.map { index in
      let slice = index / inner % extent
      let (scale, zero) = (
        Float(scales.count == 1 ? scales[0] : scales[slice]), zeros.count == 1 ? zeros[0] : zeros[slice]
      )
      if isBack { return Double(Float(value.values[index] - zero) * scale) }
      let number = Double((Float(value.values[index]) / scale).rounded(.toNearestOrEven)) + zero
      return max(bounds.lowerBound, min(bounds.upperBound, number))
    }
    guard isBack else { return ONNXConstant(shape: value.shape, values: numbers, element: zero.element) }
    // One scale for all belongs to each slice along any axis, others to those of the first if that is their axis.
    guard zeros.allSatisfy({ $0 == 0 }), !isEach || place == 0 else {
      return ONNXConstant(shape: value.shape, values: numbers, element: scale.element)
    }
    return ONNXConstant(
      shape: value.shape, values: numbers, element: scale.element, numbers: value, scales: scales)
  }
}

extension Collection {
  /// The element at an index that may lie outside.
  subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
