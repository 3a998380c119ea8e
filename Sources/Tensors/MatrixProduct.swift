#if canImport(Accelerate)
  import Accelerate
#else
  import CBLAS
#endif

// Raw pointers, since the matrices are parts of a layer's arena or of the model's flat buffer.

/// An operand of a matrix product: dense and row-major, in memory as it is meant or as its transpose.
public enum MatrixOperand {
  case plain(UnsafePointer<Float>)
  case transposed(UnsafePointer<Float>)

  fileprivate var elements: UnsafePointer<Float> {
    switch self {
    case .plain(let elements), .transposed(let elements): elements
    }
  }

  fileprivate var isTransposed: Bool {
    if case .transposed = self { true } else { false }
  }
}

/// C = A · B, or C += A · B, where A is [rows, inner], B is [inner, columns] and C is [rows, columns].
///
/// Cost: rows · columns · inner multiply-adds. A single row or column goes to the matrix-vector routine,
/// which reads the matrix once where the general one would pack it first. The bits of a row depend on
/// `rows`, `columns` and `inner`, so equal results need calls of equal shape.
public func multiply(
  rows: Int, columns: Int, inner: Int, _ a: MatrixOperand, _ b: MatrixOperand,
  into c: UnsafeMutablePointer<Float>, adding: Bool = false
) {
  let beta: Float = adding ? 1 : 0
  if rows == 1 {
    // cᵀ = Bᵀ · aᵀ; a single row is contiguous whether transposed or not.
    let (m, n) = b.isTransposed ? (columns, inner) : (inner, columns)
    cblas_sgemv(
      CblasRowMajor, b.isTransposed ? CblasNoTrans : CblasTrans, Int32(m), Int32(n),
      1, b.elements, Int32(n), a.elements, 1, beta, c, 1)
  } else if columns == 1 {
    let (m, n) = a.isTransposed ? (inner, rows) : (rows, inner)
    cblas_sgemv(
      CblasRowMajor, a.isTransposed ? CblasTrans : CblasNoTrans, Int32(m), Int32(n),
      1, a.elements, Int32(n), b.elements, 1, beta, c, 1)
  } else {
    cblas_sgemm(
      CblasRowMajor, a.isTransposed ? CblasTrans : CblasNoTrans, b.isTransposed ? CblasTrans : CblasNoTrans,
      Int32(rows), Int32(columns), Int32(inner),
      1, a.elements, Int32(a.isTransposed ? rows : inner), b.elements,
      Int32(b.isTransposed ? inner : columns), beta, c, Int32(columns))
  }
}

/// The BLAS library as this process uses it.
public enum BLAS {
  /// Keeps the library's own threads out; called before anything is computed.
  ///
  /// Workers run shards side by side and call BLAS for small matrices, for which its threads cost more
  /// than they give.
  public static func useOneThread() {
    #if canImport(Accelerate)
      BLASSetThreading(BLAS_THREADING_SINGLE_THREADED)
    #else
      inkling_blas_use_one_thread()
    #endif
  }

  /// The kernel family in use, such as `SkylakeX`; low bits of results differ from one to another.
  public static var core: String {
    #if canImport(Accelerate)
      "Accelerate"
    #else
      String(cString: inkling_blas_core())
    #endif
  }
}
