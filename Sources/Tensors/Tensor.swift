/// A dense array of `Float` with a shape, row-major: the last extent varies fastest.
///
/// ```swift
/// let weights = Tensor(shape: [2, 3], elements: [1, 2, 3, 4, 5, 6])
/// weights[1, 0]  // 4
/// ```
public struct Tensor: Hashable, Sendable {
  public let shape: [Int]
  public var elements: [Float]

  /// A tensor of the given elements.
  ///
  /// - Precondition: `elements.count` is the product of `shape`.
  public init(shape: [Int], elements: [Float]) {
    precondition(elements.count == shape.reduce(1, *), "\(elements.count) elements do not fill \(shape)")
    self.shape = shape
    self.elements = elements
  }

  /// A tensor of `value` everywhere.
  public init(shape: [Int], repeating value: Float = 0) {
    self.init(shape: shape, elements: Array(repeating: value, count: shape.reduce(1, *)))
  }

  public var count: Int { elements.count }

  /// The element of a matrix at `row` and `column`.
  public subscript(row: Int, column: Int) -> Float {
    get { elements[row * shape[1] + column] }
    set { elements[row * shape[1] + column] = newValue }
  }

  /// The matrix with rows and columns exchanged.
  public func transposed() -> Tensor {
    precondition(shape.count == 2, "only a matrix can be transposed, not \(shape)")
    var result = Tensor(shape: [shape[1], shape[0]])
    for row in 0..<shape[0] {
      for column in 0..<shape[1] { result[column, row] = self[row, column] }
    }
    return result
  }

  /// The matrix product of [m, k] and [k, n]: [m, n].
  public static func * (a: Tensor, b: Tensor) -> Tensor {
    precondition(
      a.shape.count == 2 && b.shape.count == 2 && a.shape[1] == b.shape[0],
      "cannot multiply \(a.shape) by \(b.shape)")
    BLAS.useOneThread()
    var c = Tensor(shape: [a.shape[0], b.shape[1]])
    let (rows, columns, inner) = (a.shape[0], b.shape[1], a.shape[1])
    a.elements.withUnsafeBufferPointer { a in
      b.elements.withUnsafeBufferPointer { b in
        c.elements.withUnsafeMutableBufferPointer { c in
          guard let a = a.baseAddress, let b = b.baseAddress, let c = c.baseAddress else { return }
          multiply(
            rows: rows, columns: columns, inner: inner, .plain(a, stride: inner), .plain(b, stride: columns),
            into: c, stride: columns)
        }
      }
    }
    return c
  }
}
