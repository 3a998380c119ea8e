import Kernels

/// Matrix products of a shard's size, by our own loops where BLAS would spend its time on getting started.
///
/// Measured on AVX2 with OpenBLAS 0.3.21, GFLOP/s of ours and of BLAS: 16×128×784 45 and 33, 120×400×64 62 and 53,
/// 16×128×9216 26 and 40. OpenBLAS also allocates memory in some of its small products; these never do.
public struct MatrixProduct {
  /// The longest inner dimension, by which the working memory is measured: 64 bytes each.
  static let largestInner = 4096
  /// The most multiply-adds; above them BLAS's better use of the caches wins.
  static let largestCost = 2_000_000
  /// Values of working memory.
  public static let panelCount = largestInner * KernelSet.columns

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
    guard inner <= Self.largestInner, rows * columns * inner <= Self.largestCost, rows > 1, columns > 1 else {
      multiply(rows: rows, columns: columns, inner: inner, a, b, into: c, stride: stride)
      return
    }
    // The right operand is copied, panel by panel, which is fast only if its columns lie side by side; so a
    // transposed one goes to the left: Cᵀ = Bᵀ · Aᵀ.
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
