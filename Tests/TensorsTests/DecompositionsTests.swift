import Testing

@testable import Tensors

@Suite struct DecompositionsTests {
  @Test(arguments: [(1, 1), (6, 25), (25, 6), (120, 400)])
  func orthogonalRowsOrColumnsAreOrthonormal(rows: Int, columns: Int) throws {
    var random = RandomStream(seed: 3, stream: .initialization)
    let q = try Tensor.orthogonal(rows: rows, columns: columns, using: &random)
    let gram = rows <= columns ? q * q.transposed() : q.transposed() * q
    for row in 0..<gram.shape[0] {
      for column in 0..<gram.shape[1] {
        // Float32 Householder reflections.
        #expect(abs(gram[row, column] - (row == column ? 1 : 0)) < 1e-5)
      }
    }
    var again = RandomStream(seed: 3, stream: .initialization)
    #expect(try Tensor.orthogonal(rows: rows, columns: columns, using: &again) == q)
  }

  @Test func orthogonalDrawsHaveNoPreferredSign() throws {
    var positive = 0
    for seed in 0..<200 {
      var random = RandomStream(seed: UInt64(seed), stream: .initialization)
      if try Tensor.orthogonal(rows: 2, columns: 3, using: &random)[0, 0] > 0 { positive += 1 }
    }
    // Four standard deviations of a fair coin: 100 ± 4 · √50.
    #expect((72...128).contains(positive))
  }

  @Test(arguments: [(5, 9), (9, 5), (12, 12)])
  func singularValuesRebuildTheMatrix(rows: Int, columns: Int) throws {
    let a = MatrixProductTests.random(rows, columns, seed: 4)
    let full = min(rows, columns)
    let (u, s, vTransposed) = try a.singularValues(rank: full)
    let rebuilt = u * Self.scaled(vTransposed, by: s)
    #expect(zip(rebuilt.elements, a.elements).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(zip(s, s.dropFirst()).allSatisfy { $0 >= $1 })

    // What a truncation drops is exactly the norm of the values it leaves out (Eckart and Young).
    let (u2, s2, v2) = try a.singularValues(rank: 2)
    let rough = u2 * Self.scaled(v2, by: s2)
    let error = zip(rough.elements, a.elements).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let dropped = s[2...].reduce(0) { $0 + $1 * $1 }
    #expect(abs(error - dropped) < 1e-4 * dropped)
  }

  @Test func aNaNIsReportedNotReturned() {
    let a = Tensor(shape: [2, 2], elements: [1, .nan, 0, 1])
    #expect(throws: DecompositionError.self) { try a.singularValues(rank: 1) }
  }

  private static func scaled(_ rows: Tensor, by factors: [Float]) -> Tensor {
    var result = rows
    for row in 0..<rows.shape[0] {
      for column in 0..<rows.shape[1] { result[row, column] *= factors[row] }
    }
    return result
  }
}
