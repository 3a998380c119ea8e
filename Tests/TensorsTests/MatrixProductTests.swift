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

  @Test(arguments: [
    (1, 1, 1), (1, 7, 5), (5, 1, 7), (3, 17, 1), (16, 10, 84), (6, 784, 25), (33, 65, 129), (7, 31, 2),
    (2, 16, 5),
  ])
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
            for left in [MatrixOperand.plain(pa, stride: inner), .transposed(ta, stride: rows)] {
              for right in [MatrixOperand.plain(pb, stride: columns), .transposed(tb, stride: inner)] {
                // One column more than is written, which has to stay as it is.
                let stride = columns + 1
                func check(_ c: [Float]) {
                  for row in 0..<rows {
                    for column in 0..<columns {
                      let error = abs(Double(c[row * stride + column]) - expected[row * columns + column])
                      #expect(error < tolerance)
                    }
                    #expect(c[row * stride + columns] == 7)
                  }
                }
                var c = [Float](repeating: 7, count: rows * stride)
                multiply(rows: rows, columns: columns, inner: inner, left, right, into: &c, stride: stride)
                check(c)
                for kernels in KernelSet.available {
                  var c = [Float](repeating: 7, count: rows * stride)
                  var panel = [Float](repeating: .nan, count: MatrixProduct.panelCount)
                  panel.withUnsafeMutableBufferPointer { panel in
                    guard let panel = panel.baseAddress else { return }
                    MatrixProduct(kernels: kernels, panel: panel)(
                      rows: rows, columns: columns, inner: inner, left, right, into: &c, stride: stride)
                  }
                  check(c)
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
