import Kernels
import Tensors
import Testing

@Suite struct ProductTests {
  @Test(arguments: KernelSet.tested, Sizes.rows)
  func agreesWithThePlainLoop(kernels: KernelSet, rows: Int) {
    for inner in Sizes.inner {
      for columns in Sizes.widths {
        for isTurned in 0..<4 {
          check(kernels, rows, columns, inner, isTurned: isTurned)
        }
      }
    }
  }

  /// Longer than a stretch of the inner dimension, more rows than a panel keeps, and more columns than it takes.
  @Test(arguments: KernelSet.tested, [(3, 5, 700), (7, 18, 257), (800, 17, 3), (2, 600, 40), (5, 33, 1)])
  func stretchesAndPanelsAdjoin(kernels: KernelSet, shape: (Int, Int, Int)) {
    for isTurned in 0..<4 { check(kernels, shape.0, shape.1, shape.2, isTurned: isTurned) }
  }

  /// Bit 0 turns a, bit 1 turns b and, with it, c.
  private func check(_ kernels: KernelSet, _ rows: Int, _ columns: Int, _ inner: Int, isTurned: Int) {
    check(
      kernels, Matrix(rows, inner, isTurned: isTurned & 1 != 0),
      Matrix(inner, columns, isTurned: isTurned & 2 != 0), Matrix(rows, columns, isTurned: isTurned & 2 != 0))
  }

  /// How a matrix lies in memory: row by row or column by column, each with a value more than it needs.
  private struct Matrix: CustomStringConvertible {
    let rows: Int
    let columns: Int
    let isTurned: Bool

    init(_ rows: Int, _ columns: Int, isTurned: Bool) {
      (self.rows, self.columns, self.isTurned) = (rows, columns, isTurned)
    }

    var rowStep: Int { isTurned ? 1 : columns + 1 }
    var columnStep: Int { isTurned ? rows + 1 : 1 }
    var count: Int { (rows - 1) * rowStep + (columns - 1) * columnStep + 1 }
    func place(_ row: Int, _ column: Int) -> Int { row * rowStep + column * columnStep }
    var description: String { "\(rows)×\(columns)" + (isTurned ? " turned" : "") }
  }

  private func check(_ kernels: KernelSet, _ a: Matrix, _ b: Matrix, _ c: Matrix) {
    let left = normalValues(a.count, seed: 1)
    let right = normalValues(b.count, seed: 2)
    // Replaced, but for the values between rows.
    let before = [Float](repeating: 7, count: c.count)
    let (leftMemory, rightMemory, result) = (FencedMemory(left), FencedMemory(right), FencedMemory(before))
    let panel = FencedMemory<Float>(count: KernelSet.panelCount)
    kernels.run(
      InklingProduct(
        rows: c.rows, columns: c.columns, inner: a.columns, aRow: a.rowStep, aInner: a.columnStep,
        bInner: b.rowStep, bColumn: b.columnStep, cRow: c.rowStep, cColumn: c.columnStep,
        a: leftMemory.start, b: rightMemory.start, panel: panel.start, c: result.start))

    var expected = before.map { PlainSum($0) }
    for row in 0..<c.rows {
      for column in 0..<c.columns {
        var sum = PlainSum()
        for k in 0..<a.columns { sum.add(left[a.place(row, k)], right[b.place(k, column)]) }
        expected[c.place(row, column)] = sum
      }
    }
    let fault = fault(result.values, expected)
    #expect(fault == nil, "\(a) · \(b) = \(c)")
    #expect(result.isIntact && panel.isIntact)
  }
}
