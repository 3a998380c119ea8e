/// How light falls on paper at large: a surface of second order, as of a lamp to one side or a lens that darkens corners.
struct PaperSurface {
  /// Of 1, x, y, x², xy and y², x and y from -1 to 1 across the picture.
  private var coefficients = InlineArray<6, Float>(repeating: 0)

  /// The same everywhere.
  init(constant: Float) { coefficients[0] = constant }

  /// Fits the values of `side` × `side` parts with the least sum of absolute errors, so that some parts full of ink do not
  /// matter; by least squares, again and again, each value weighed by the inverse of its error.
  init(_ values: UnsafePointer<Float>, side: Int) {
    for _ in 0..<Self.rounds {
      var matrix = InlineArray<36, Float>(repeating: 0)
      var sums = InlineArray<6, Float>(repeating: 0)
      for row in 0..<side {
        for column in 0..<side {
          let terms = Self.terms(Self.place(column, side), Self.place(row, side))
          let value = values[row * side + column]
          let weight = 1 / max(Self.leastError, (value - self.value(terms)).magnitude)
          for i in 0..<6 {
            sums[i] += weight * terms[i] * value
            for j in 0..<6 { matrix[6 * i + j] += weight * terms[i] * terms[j] }
          }
        }
      }
      coefficients = Self.solve(&matrix, sums)
    }
  }

  private static let rounds = 8
  /// Grey levels that do not matter.
  private static let leastError: Float = 1

  /// The middle of one of `count` parts or pixels, from -1 to 1.
  static func place(_ index: Int, _ count: Int) -> Float { (2 * Float(index) + 1) / Float(count) - 1 }

  /// At a depth y the surface is `constant + slope · x + bend · x²`.
  func row(_ y: Float) -> (constant: Float, slope: Float, bend: Float) {
    (
      coefficients[0] + coefficients[2] * y + coefficients[5] * y * y, coefficients[1] + coefficients[4] * y,
      coefficients[3]
    )
  }

  func value(_ x: Float, _ y: Float) -> Float { value(Self.terms(x, y)) }

  /// The sum of absolute errors, where those along the edge, which is paper sooner than the middle, count three times.
  func error(_ values: UnsafePointer<Float>, side: Int) -> Float {
    var sum: Float = 0
    for row in 0..<side {
      for column in 0..<side {
        let isEdge = row == 0 || row == side - 1 || column == 0 || column == side - 1
        let error = values[row * side + column] - value(Self.place(column, side), Self.place(row, side))
        sum += (isEdge ? 3 : 1) * error.magnitude
      }
    }
    return sum
  }

  private func value(_ terms: InlineArray<6, Float>) -> Float {
    var sum: Float = 0
    for i in 0..<6 { sum += coefficients[i] * terms[i] }
    return sum
  }

  private static func terms(_ x: Float, _ y: Float) -> InlineArray<6, Float> {
    [1, x, y, x * x, x * y, y * y]
  }

  /// Solves the normal equations, whose matrix is symmetric and positive: Gauss's elimination needs no pivots.
  private static func solve(
    _ matrix: inout InlineArray<36, Float>, _ sums: InlineArray<6, Float>
  ) -> InlineArray<6, Float> {
    var result = sums
    for i in 0..<6 {
      for j in (i + 1)..<max(i + 1, 6) {
        let factor = matrix[6 * j + i] / matrix[6 * i + i]
        for k in i..<6 { matrix[6 * j + k] -= factor * matrix[6 * i + k] }
        result[j] -= factor * result[i]
      }
    }
    for i in (0..<6).reversed() {
      for j in (i + 1)..<max(i + 1, 6) { result[i] -= matrix[6 * i + j] * result[j] }
      result[i] /= matrix[6 * i + i]
    }
    return result
  }
}
