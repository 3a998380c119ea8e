#if canImport(Accelerate)
  import Accelerate
#else
  import CBLAS
#endif

// Raw pointers, since the matrices are parts of a layer's arena or of the model's flat buffer.

/// An operand of a matrix product: row-major, in memory as it is meant or as its transpose.
///
/// `stride` is the distance between the rows in memory.
public enum MatrixOperand {
  case plain(UnsafePointer<Float>, stride: Int)
  case transposed(UnsafePointer<Float>, stride: Int)

  var elements: UnsafePointer<Float> {
    switch self {
    case .plain(let elements, _), .transposed(let elements, _): elements
    }
  }

  /// The distance between rows in memory, whatever they mean.
  var stride: Int {
    switch self {
    case .plain(_, let stride), .transposed(_, let stride): stride
    }
  }

  var isTransposed: Bool {
    if case .transposed = self { true } else { false }
  }

  /// The distance in memory from a row to the next, as the matrix is meant.
  var rowStep: Int { isTransposed ? 1 : stride }
  var columnStep: Int { isTransposed ? stride : 1 }
}

/// C = A · B by BLAS, where A is [rows, inner], B is [inner, columns] and C is [rows, columns], its rows `stride` apart.
///
/// Cost: rows · columns · inner multiply-adds. A single row or column goes to the matrix-vector routine,
/// which reads the matrix once where the general one would pack it first. The bits of a row depend on
/// `rows`, `columns` and `inner`, so equal results need calls of equal shape.
public func multiply(
  rows: Int, columns: Int, inner: Int, _ a: MatrixOperand, _ b: MatrixOperand,
  into c: UnsafeMutablePointer<Float>, stride: Int
) {
  if rows == 1 {
    // cᵀ = Bᵀ · aᵀ.
    let (m, n) = b.isTransposed ? (columns, inner) : (inner, columns)
    cblas_sgemv(
      CblasRowMajor, b.isTransposed ? CblasNoTrans : CblasTrans, Int32(m), Int32(n),
      1, b.elements, Int32(b.stride), a.elements, Int32(a.columnStep), 0, c, 1)
  } else if columns == 1 {
    let (m, n) = a.isTransposed ? (inner, rows) : (rows, inner)
    cblas_sgemv(
      CblasRowMajor, a.isTransposed ? CblasTrans : CblasNoTrans, Int32(m), Int32(n),
      1, a.elements, Int32(a.stride), b.elements, Int32(b.rowStep), 0, c, Int32(stride))
  } else {
    cblas_sgemm(
      CblasRowMajor, a.isTransposed ? CblasTrans : CblasNoTrans, b.isTransposed ? CblasTrans : CblasNoTrans,
      Int32(rows), Int32(columns), Int32(inner),
      1, a.elements, Int32(a.stride), b.elements, Int32(b.stride), 0, c, Int32(stride))
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
