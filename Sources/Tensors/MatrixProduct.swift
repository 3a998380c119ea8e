import Kernels

/// Matrix products of a shard's or a batch's size, by our own loops or by BLAS, whichever is faster for the shape.
///
/// GFLOP/s of ours and of OpenBLAS 0.3.21 side by side, one thread of an AVX2 machine: 16×128×784 73 and 51,
/// 128×784×64 70 and 60, 16×10×84 36 and 20, 16×128×9216 54 and 38, 16×9216×128 50 and 43; from about 64×128×9216 on
/// BLAS is level or ahead. Some of OpenBLAS's small products also allocate memory; ours never do.
public struct MatrixProduct {
  /// The most multiply-adds for our own loops: BLAS gets more out of the caches where the matrices outgrow them.
  static let largestCost = 32_000_000
  /// Values of working memory.
  public static let panelCount = KernelSet.panelCount

  let kernels: KernelSet
  let panel: UnsafeMutablePointer<Float>

  /// `panel` holds `panelCount` values.
  public init(kernels: KernelSet, panel: UnsafeMutablePointer<Float>) {
    self.kernels = kernels
    self.panel = panel
  }

  /// C = A · B as `multiply` defines it, by whichever is faster for the shape.
  public func callAsFunction(
    rows: Int, columns: Int, inner: Int, _ a: MatrixOperand, _ b: MatrixOperand,
    into c: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let isDoublyTransposed = a.isTransposed && b.isTransposed
    guard rows * columns * inner <= Self.largestCost, rows > 1, columns > 1, !isDoublyTransposed else {
      multiply(rows: rows, columns: columns, inner: inner, a, b, into: c, stride: stride)
      return
    }
    // The right operand is copied, panel by panel, so the larger one, a layer's weights, had better be the left one:
    // Cᵀ = Bᵀ · Aᵀ.
    if b.isTransposed {
      kernels.run(
        InklingProduct(
          rows: columns, columns: rows, inner: inner, aRow: b.columnStep, aInner: b.rowStep,
          bInner: a.columnStep, bColumn: a.rowStep, cRow: 1, cColumn: stride, a: b.elements, b: a.elements,
          panel: panel, c: c))
    } else {
      kernels.run(
        InklingProduct(
          rows: rows, columns: columns, inner: inner, aRow: a.rowStep, aInner: a.columnStep,
          bInner: b.rowStep, bColumn: b.columnStep, cRow: stride, cColumn: 1, a: a.elements, b: b.elements,
          panel: panel, c: c))
    }
  }
}
