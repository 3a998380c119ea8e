import Testing

@testable import Tensors

@Suite struct MatrixProductTests {
  /// The plain loop, in Double, that BLAS is held against.
  static func reference(_ a: Tensor, _ b: Tensor) -> [Double] {
    (0..<a.shape[0]).flatMap { row in
      (0..<b.shape[1]).map { column in
        (0..<a.shape[1]).reduce(0.0) { $0 + Double(a[row, $1]) * Double(b[$1, column]) }
      }
    }
  }

  static func random(_ rows: Int, _ columns: Int, seed: UInt64) -> Tensor {
    var random = RandomStream(seed: seed, stream: .initialization)
    return Tensor(shape: [rows, columns], elements: (0..<rows * columns).map { _ in random.normal() })
  }

  @Test(arguments: [(1, 1, 1), (1, 7, 5), (5, 1, 7), (3, 17, 1), (16, 10, 84), (6, 784, 25), (33, 65, 129)])
  func agreesWithThePlainLoop(rows: Int, columns: Int, inner: Int) {
    let a = Self.random(rows, inner, seed: 1)
    let b = Self.random(inner, columns, seed: 2)
    let expected = Self.reference(a, b)
    let (aT, bT) = (a.transposed().elements, b.transposed().elements)
    // Float32 sums of `inner` products of size about 1.
    let tolerance = 1e-6 * Double(inner) + 1e-6
    a.elements.withUnsafeBufferPointer { plainA in
      b.elements.withUnsafeBufferPointer { plainB in
        aT.withUnsafeBufferPointer { turnedA in
          bT.withUnsafeBufferPointer { turnedB in
            guard let pa = plainA.baseAddress, let pb = plainB.baseAddress, let ta = turnedA.baseAddress,
              let tb = turnedB.baseAddress
            else { return }
            for left in [MatrixOperand.plain(pa), .transposed(ta)] {
              for right in [MatrixOperand.plain(pb), .transposed(tb)] {
                for adding in [false, true] {
                  var c = [Float](repeating: adding ? 0.5 : .nan, count: rows * columns)
                  multiply(rows: rows, columns: columns, inner: inner, left, right, into: &c, adding: adding)
                  let error = zip(c, expected).map { abs(Double($0) - $1 - (adding ? 0.5 : 0)) }.max() ?? 0
                  #expect(error < tolerance)
                }
              }
            }
          }
        }
      }
    }
    #expect(zip((a * b).elements, expected).allSatisfy { abs(Double($0) - $1) < tolerance })
  }

  @Test func blasNamesItsKernels() {
    BLAS.useOneThread()
    #expect(!BLAS.core.isEmpty)
  }
}
