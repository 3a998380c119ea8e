/// How nodes that only change a shape change it. What cannot be is nil.
enum ONNXShapes {
  /// Reshape: 0 keeps an extent, unless `allowzero` says otherwise, and -1 is what is left over.
  static func reshaped(_ shape: [Int], to target: [Int], _ node: ONNXFile.Node) -> [Int]? {
    guard let count = ONNXConstant.count(shape), target.count <= ONNXConstant.mostAxes else { return nil }
    let keepsZeros = node.attributes["allowzero"]?.integer == 1
    var result: [Int] = []
    for (axis, extent) in target.enumerated() {
      if extent == 0, !keepsZeros {
        guard shape.indices.contains(axis) else { return nil }
        result.append(shape[axis])
      } else {
        result.append(extent)
      }
    }
    let open = result.indices.filter { result[$0] == -1 }
    if open.count == 1 {
      guard let others = ONNXConstant.count(result.filter { $0 != -1 }), others > 0, count % others == 0
      else {
        return nil
      }
      result[open[0]] = count / others
    }
    return ONNXConstant.count(result) == count ? result : nil
  }

  /// Flatten: two axes, cut in front of one.
  static func flattened(_ shape: [Int], _ node: ONNXFile.Node) -> [Int]? {
    let axis = node.attributes["axis"]?.integer ?? 1
    let cut = axis < 0 ? axis + shape.count : axis
    guard (0...shape.count).contains(cut) else { return nil }
    return [shape[..<cut].reduce(1, *), shape[cut...].reduce(1, *)]
  }

  /// Squeeze and Unsqueeze: axes of extent 1 go or come.
  static func changed(_ shape: [Int], _ node: ONNXFile.Node, axes: [Int]?) -> [Int]? {
    if node.kind == "Squeeze" {
      guard axes?.count ?? 0 <= ONNXConstant.mostAxes else { return nil }
      let places =
        axes.map { $0.map { $0 < 0 ? $0 + shape.count : $0 } } ?? shape.indices.filter { shape[$0] == 1 }
      guard places.allSatisfy({ shape.indices.contains($0) && shape[$0] == 1 }) else { return nil }
      return shape.indices.filter { !places.contains($0) }.map { shape[$0] }
    }
    guard let axes, shape.count + axes.count <= ONNXConstant.mostAxes else { return nil }
    let rank = shape.count + axes.count
    let places = Set(axes.map { $0 < 0 ? $0 + rank : $0 })
    guard places.count == axes.count, places.allSatisfy({ (0..<rank).contains($0) }) else { return nil }
    var rest = shape.makeIterator()
    return (0..<rank).compactMap { places.contains($0) ? 1 : rest.next() }
  }

  /// Shape: all extents, or since opset 15 those from a place up to another; a place below 0 counts from the end.
  static func part(of shape: [Int], _ node: ONNXFile.Node) -> [Int] {
    func place(_ number: Int) -> Int { max(0, min(shape.count, number < 0 ? number + shape.count : number)) }
    let start = place(node.attributes["start"]?.integer ?? 0)
    let end = place(node.attributes["end"]?.integer ?? shape.count)
    return start < end ? Array(shape[start..<end]) : []
  }
}
