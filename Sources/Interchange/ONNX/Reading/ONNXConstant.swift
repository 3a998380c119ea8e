/// Numbers that are known before an image is: an initialiser, or what nodes make of some.
struct ONNXConstant {
  /// Empty for a single number.
  let shape: [Int]
  /// [shape], row-major; float32, float16 and whole numbers below 2^53 are exact.
  let values: [Double]
  /// What the file says that the numbers are, or what was computed with.
  let element: ONNXElement

  /// The most axes that a shape may have: what is done for each number may take time in proportion to it.
  static let mostAxes = 16

  init(shape: [Int], values: [Double], element: ONNXElement) {
    (self.shape, self.values, self.element) = (shape, values, element)
  }

  init(integers: [Int]) {
    self.init(shape: [integers.count], values: integers.map { Double($0) }, element: .int64)
  }

  /// The whole numbers; nil where one is none.
  var integers: [Int]? {
    let integers = values.compactMap { Int(exactly: $0) }
    return integers.count == values.count ? integers : nil
  }

  var floats: [Float] { values.map { Float($0) } }

  /// The product of extents; nil if one is below 0, or there are too many axes or numbers.
  ///
  /// Extents of 0 do not hide how large the others are, so that no product of some of them overflows.
  static func count(_ shape: [Int]) -> Int? {
    guard shape.count <= mostAxes else { return nil }
    var count = 1
    for extent in shape {
      let (product, overflows) = count.multipliedReportingOverflow(by: max(1, extent))
      guard extent >= 0, !overflows, product <= 1 << 30 else { return nil }
      count = product
    }
    return shape.contains(0) ? 0 : count
  }

  func reshaped(_ shape: [Int]) -> ONNXConstant? {
    Self.count(shape) == values.count ? ONNXConstant(shape: shape, values: values, element: element) : nil
  }

  /// Other numbers of the same shape.
  func mapped(as element: ONNXElement? = nil, _ function: (Double) -> Double) -> ONNXConstant {
    ONNXConstant(shape: shape, values: values.map(function), element: element ?? self.element)
  }

  /// The same numbers with axis `i` where axis `order[i]` was.
  func transposed(_ order: [Int]) -> ONNXConstant? {
    guard order.count == shape.count, order.sorted() == Array(shape.indices) else { return nil }
    let strides = Self.strides(shape)
    let target = order.map { shape[$0] }
    let values = Self.gather(values, target, strides: order.map { strides[$0] })
    return ONNXConstant(shape: target, values: values, element: element)
  }

  /// The numbers as they stand for a larger shape, whose extents agree from the right where they are not 1 here; nil
  /// where they do not.
  func broadcast(to target: [Int]) -> ONNXConstant? {
    guard shape.count <= target.count, Self.count(target) != nil else { return nil }
    let padded = [Int](repeating: 1, count: target.count - shape.count) + shape
    guard zip(padded, target).allSatisfy({ $0 == $1 || $0 == 1 }) else { return nil }
    let strides = zip(Self.strides(padded), padded).map { $1 == 1 ? 0 : $0 }
    return ONNXConstant(
      shape: target, values: Self.gather(values, target, strides: strides), element: element)
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

  /// The shape of the slices at `indices` along an axis; nil where there can be none.
  func gatheredShape(_ indices: ONNXConstant, axis: Int) -> [Int]? {
    guard shape.indices.contains(axis) else { return nil }
    let target = shape[..<axis] + indices.shape + shape[(axis + 1)...]
    return Self.count(Array(target)) == nil ? nil : Array(target)
  }

  /// The slices at `indices` along an axis.
  func gathered(_ indices: ONNXConstant, axis: Int) -> ONNXConstant? {
    guard let target = gatheredShape(indices, axis: axis), let numbers = indices.integers else { return nil }
    let extent = shape[axis]
    let positions = numbers.map { $0 < 0 ? $0 + extent : $0 }
    guard positions.allSatisfy({ (0..<extent).contains($0) }) else { return nil }
    let inner = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    var values: [Double] = []
    let count = outer * positions.count * inner
    values.reserveCapacity(count)
    for block in 0..<(count > 0 ? outer : 0) {
      for position in positions {
        let start = (block * extent + position) * inner
        values += self.values[start..<start + inner]
      }
    }
    return ONNXConstant(shape: target, values: values, element: element)
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
