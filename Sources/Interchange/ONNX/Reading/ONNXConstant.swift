/// Numbers that are known before an image is: an initialiser, or what nodes make of some.
struct ONNXConstant {
  /// Empty for a single number.
  let shape: [Int]
  /// [shape], row-major; float32, float16 and whole numbers below 2^53 are exact.
  let values: [Double]

  init(shape: [Int], values: [Double]) {
    (self.shape, self.values) = (shape, values)
  }

  init(integers: [Int]) { self.init(shape: [integers.count], values: integers.map { Double($0) }) }

  var integers: [Int] { values.compactMap { Int(exactly: $0) } }
  var floats: [Float] { values.map { Float($0) } }

  /// The product of extents, or nil if one is below 0 or there are too many.
  static func count(_ shape: [Int]) -> Int? {
    var count = 1
    for extent in shape {
      let (product, overflows) = count.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflows, product <= 1 << 30 else { return nil }
      count = product
    }
    return count
  }

  func reshaped(_ shape: [Int]) -> ONNXConstant? {
    Self.count(shape) == values.count ? ONNXConstant(shape: shape, values: values) : nil
  }

  /// The same numbers with axis `i` where axis `order[i]` was.
  func transposed(_ order: [Int]) -> ONNXConstant? {
    guard order.sorted() == Array(shape.indices) else { return nil }
    let strides = Self.strides(shape)
    let target = order.map { shape[$0] }
    return ONNXConstant(
      shape: target, values: Self.gather(values, target, strides: order.map { strides[$0] }))
  }

  /// The numbers as they stand for a larger shape, whose extents agree from the right where they are not 1 here; nil
  /// where they do not.
  func broadcast(to target: [Int]) -> ONNXConstant? {
    guard shape.count <= target.count, Self.count(target) != nil else { return nil }
    let padded = [Int](repeating: 1, count: target.count - shape.count) + shape
    guard zip(padded, target).allSatisfy({ $0 == $1 || $0 == 1 }) else { return nil }
    let strides = zip(Self.strides(padded), padded).map { $1 == 1 ? 0 : $0 }
    return ONNXConstant(shape: target, values: Self.gather(values, target, strides: strides))
  }

  /// The shape that two constants have together, if they have one.
  static func commonShape(_ first: [Int], _ second: [Int]) -> [Int]? {
    let rank = max(first.count, second.count)
    func padded(_ shape: [Int]) -> [Int] { [Int](repeating: 1, count: rank - shape.count) + shape }
    var common: [Int] = []
    for (left, right) in zip(padded(first), padded(second)) {
      guard left == right || left == 1 || right == 1 else { return nil }
      common.append(left == 1 ? right : left)
    }
    return common
  }

  /// The slices at `indices` along an axis.
  func gathered(_ indices: ONNXConstant, axis: Int) -> ONNXConstant? {
    guard shape.indices.contains(axis) else { return nil }
    let extent = shape[axis]
    let positions = indices.integers.map { $0 < 0 ? $0 + extent : $0 }
    guard positions.count == indices.values.count, positions.allSatisfy({ (0..<extent).contains($0) }) else {
      return nil
    }
    let inner = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    let values = (0..<outer).flatMap { block in
      positions.flatMap { position in
        let start = (block * extent + position) * inner
        return self.values[start..<start + inner]
      }
    }
    return ONNXConstant(shape: shape[..<axis] + indices.shape + shape[(axis + 1)...], values: values)
  }

  /// The elements of each axis lie this far apart.
  private static func strides(_ shape: [Int]) -> [Int] {
    var strides: [Int] = []
    var stride = 1
    for extent in shape.reversed() {
      strides.append(stride)
      stride *= extent
    }
    return strides.reversed()
  }

  /// The values of a tensor of extents `shape` whose elements lie `strides` apart in `values`.
  private static func gather(_ values: [Double], _ shape: [Int], strides: [Int]) -> [Double] {
    guard !shape.isEmpty else { return values }
    let count = shape.reduce(1, *)
    guard count > 0 else { return [] }
    var (index, offset) = ([Int](repeating: 0, count: shape.count), 0)
    return [Double](unsafeUninitializedCapacity: count) { target, filled in
      for element in 0..<count {
        target.initializeElement(at: element, to: values[offset])
        for axis in shape.indices.reversed() {
          index[axis] += 1
          offset += strides[axis]
          if index[axis] < shape[axis] { break }
          offset -= strides[axis] * shape[axis]
          index[axis] = 0
        }
      }
      filled = count
    }
  }
}
