#if canImport(Accelerate)
  import Accelerate
#else
  import CLAPACKE
#endif

/// A matrix decomposition that LAPACK gave up on.
public struct DecompositionError: Error, Hashable, Sendable, CustomStringConvertible {
  public let routine: String
  /// LAPACK's `info`: negative for a bad argument (a NaN among them), positive for no convergence.
  public let info: Int

  public var description: String { "\(routine) failed with info \(info)" }
}

extension Tensor {
  /// A matrix [rows, columns] with orthonormal rows, or columns where there are more rows than columns,
  /// drawn uniformly (Saxe, McClelland, Ganguli, "Exact solutions to the nonlinear dynamics of learning",
  /// 2014; Mezzadri, "How to generate random matrices from the classical compact groups", 2007).
  ///
  /// The draw is the Q of a QR decomposition of a normal matrix, its signs fixed by the diagonal of R.
  /// Cost: about 4 · max · min² operations.
  public static func orthogonal(
    rows: Int, columns: Int, using random: inout RandomStream
  ) throws(DecompositionError) -> Tensor {
    // Low bits depend on the number of BLAS threads.
    BLAS.useOneThread()
    let (long, short) = (max(rows, columns), min(rows, columns))
    // LAPACK's column-major [long, short] is row-major [short, long].
    var q = [Float](repeating: 0, count: long * short)
    for i in q.indices { q[i] = random.normal() }
    let diagonal = try orthonormalizeColumns(&q, rows: long, columns: short)
    for column in 0..<short where diagonal[column] < 0 {
      for i in column * long..<(column + 1) * long { q[i].negate() }
    }
    let wide = Tensor(shape: [short, long], elements: q)
    return rows <= columns ? wide : wide.transposed()
  }

  /// The `rank` largest singular values s with their vectors, so that self ≈ u · diag(s) · vᵀ.
  ///
  /// u is [m, rank], vᵀ is [rank, n]. Dropping the values after `rank` leaves the matrix of that rank that
  /// is nearest in the Frobenius norm (Eckart and Young, 1936). Cost: O(m · n · min(m, n)).
  public func singularValues(
    rank: Int
  ) throws(DecompositionError) -> (u: Tensor, s: [Float], vTransposed: Tensor) {
    BLAS.useOneThread()
    precondition(shape.count == 2 && (1...min(shape[0], shape[1])).contains(rank))
    let (m, n, full) = (shape[0], shape[1], min(shape[0], shape[1]))
    // Row-major A is column-major Aᵀ = V · diag(s) · Uᵀ: LAPACK's left vectors are ours on the right.
    var a = elements
    var s = [Float](repeating: 0, count: full)
    var left = [Float](repeating: 0, count: n * full)
    var right = [Float](repeating: 0, count: full * m)
    try decomposeColumnMajor(&a, rows: n, columns: m, s: &s, u: &left, vTransposed: &right)
    var u = Tensor(shape: [m, rank])
    for row in 0..<m {
      for column in 0..<rank { u[row, column] = right[row * full + column] }
    }
    let vTransposed = Tensor(shape: [rank, n], elements: Array(left[0..<rank * n]))
    return (u, Array(s[0..<rank]), vTransposed)
  }
}

/// Replaces a column-major [rows, columns] matrix, rows ≥ columns, by the Q of its QR decomposition.
///
/// Returns the diagonal of R.
private func orthonormalizeColumns(
  _ a: inout [Float], rows: Int, columns: Int
) throws(DecompositionError) -> [Float] {
  var tau = [Float](repeating: 0, count: columns)
  let (m, n) = (LAPACKInteger(rows), LAPACKInteger(columns))
  #if canImport(Accelerate)
    // Each argument by itself: Fortran takes addresses, and Swift no two of one variable.
    var (rowCount, columnCount, leading, info) = (m, n, m, LAPACKInteger(0))
    var workCount = LAPACKInteger(64 * columns)
    var work = [Float](repeating: 0, count: 64 * columns)
    sgeqrf_(&rowCount, &columnCount, &a, &leading, &tau, &work, &workCount, &info)
    try check("sgeqrf", info)
    let diagonal = (0..<columns).map { a[$0 * rows + $0] }
    var reflectors = n
    sorgqr_(&rowCount, &columnCount, &reflectors, &a, &leading, &tau, &work, &workCount, &info)
    try check("sorgqr", info)
  #else
    try check("sgeqrf", LAPACKE_sgeqrf(LAPACK_COL_MAJOR, m, n, &a, m, &tau))
    let diagonal = (0..<columns).map { a[$0 * rows + $0] }
    try check("sorgqr", LAPACKE_sorgqr(LAPACK_COL_MAJOR, m, n, n, &a, m, &tau))
  #endif
  return diagonal
}

/// The thin singular value decomposition of a column-major [rows, columns] matrix, which is overwritten.
private func decomposeColumnMajor(
  _ a: inout [Float], rows: Int, columns: Int, s: inout [Float], u: inout [Float],
  vTransposed: inout [Float]
) throws(DecompositionError) {
  let (m, n, full) = (LAPACKInteger(rows), LAPACKInteger(columns), LAPACKInteger(min(rows, columns)))
  #if canImport(Accelerate)
    var (rowCount, columnCount, rank, info) = (m, n, full, LAPACKInteger(0))
    var (leadingA, leadingU) = (m, m)
    var job = CChar(UInt8(ascii: "S"))
    var indices = [LAPACKInteger](repeating: 0, count: 8 * min(rows, columns))
    var optimalCount: Float = 0
    var workCount = LAPACKInteger(-1)
    sgesdd_(
      &job, &rowCount, &columnCount, &a, &leadingA, &s, &u, &leadingU, &vTransposed, &rank,
      &optimalCount, &workCount, &indices, &info)
    workCount = LAPACKInteger(optimalCount)
    var work = [Float](repeating: 0, count: max(1, Int(workCount)))
    sgesdd_(
      &job, &rowCount, &columnCount, &a, &leadingA, &s, &u, &leadingU, &vTransposed, &rank,
      &work, &workCount, &indices, &info)
    try check("sgesdd", info)
  #else
    let job = CChar(UInt8(ascii: "S"))
    try check(
      "sgesdd", LAPACKE_sgesdd(LAPACK_COL_MAJOR, job, m, n, &a, m, &s, &u, m, &vTransposed, full))
  #endif
}

#if canImport(Accelerate)
  private typealias LAPACKInteger = __CLPK_integer
#else
  private typealias LAPACKInteger = Int32
#endif

private func check(_ routine: String, _ info: LAPACKInteger) throws(DecompositionError) {
  if info != 0 { throw DecompositionError(routine: routine, info: Int(info)) }
}
