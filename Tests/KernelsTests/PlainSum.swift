/// A sum of products in Double, and how far a sum in Float32 may be from it.
struct PlainSum {
  private(set) var value = 0.0
  private var size = 0.0
  private var operations = 0

  init(_ start: Float = 0) {
    value = Double(start)
    size = abs(value)
  }

  mutating func add(_ a: Float, _ b: Float) {
    let product = Double(a) * Double(b)
    value += product
    size += abs(product)
    operations += 1
  }

  /// Whether `found` is the sum but for rounding; without products exactly.
  ///
  /// n products and a start, added in any order, fused or not, are off by at most γ times the sum of their magnitudes,
  /// γ = m · u / (1 - m · u) with u = 2⁻²⁴ and m = n + 1 roundings (Higham, Accuracy and Stability, 3.1).
  func isNear(_ found: Float) -> Bool {
    if operations == 0 { return Double(found) == value }
    let roundings = Double(operations + 1) * 0x1p-24
    return abs(Double(found) - value) <= roundings / (1 - roundings) * size
  }
}

/// The first place where the values are not the sums, for the message of a failed test.
func fault(_ found: [Float], _ expected: [PlainSum]) -> String? {
  guard found.count == expected.count else { return "\(found.count) values, not \(expected.count)" }
  guard let place = found.indices.first(where: { !expected[$0].isNear(found[$0]) }) else { return nil }
  return "place \(place): \(found[place]), not \(expected[place].value)"
}
