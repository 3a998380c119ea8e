import Inference
import Tensors

extension LoweredNetwork {
  /// The same network with each dense layer whose weights W [outputs, inputs] are nearly of low rank as two: W ≈ U V,
  /// with the fewest rows of V for which the root mean square error is at most `error` times that of the weights.
  ///
  /// By the truncated singular value decomposition, which has the least error of any such product (Eckart and Young,
  /// 1936). A layer stays as it is where two would have as many weights. Throws a `DecompositionError` if LAPACK finds
  /// no decomposition.
  public func withLowRank(error: Float) throws(DecompositionError) -> LoweredNetwork {
    var result = self
    result.operations = []
    for operation in operations {
      guard case .dense(var dense) = operation,
        let (left, right) = try Self.factors(tensors[dense.weights], error: error)
      else {
        result.operations.append(operation)
        continue
      }
      result.tensors[dense.weights] = left
      result.tensors.append(right)
      result.operations.append(
        .dense(
          Operation.Dense(
            activation: .none, outputs: right.rows, weights: result.tensors.count - 1,
            bias: InkFormat.noTensor)))
      dense.integers = nil
      result.operations.append(.dense(dense))
    }
    return result
  }

  private static func factors(_ matrix: Matrix, error: Float) throws(DecompositionError) -> (Matrix, Matrix)?
  {
    let (rows, columns) = (matrix.rows, matrix.columns)
    let full = min(rows, columns)
    let parts = try Tensor(shape: [rows, columns], elements: matrix.values).singularValues(rank: full)
    let energies = parts.s.map { Double($0) * Double($0) }
    let allowed = Double(error) * Double(error) * energies.reduce(0, +)
    // From the smallest on, as many as the error allows are left out.
    var (rank, lost) = (full, 0.0)
    while rank > 1, lost + energies[rank - 1] <= allowed {
      rank -= 1
      lost += energies[rank]
    }
    guard rank * (rows + columns) < rows * columns else { return nil }
    // The root of each singular value goes to either side, so that both have weights of like size.
    let left = (0..<rows).flatMap { row in (0..<rank).map { parts.u[row, $0] * parts.s[$0].squareRoot() } }
    let right = (0..<rank).flatMap { row in
      (0..<columns).map { parts.vTransposed[row, $0] * parts.s[row].squareRoot() }
    }
    return (
      Matrix(rows: rows, columns: rank, values: left, isWeight: true),
      Matrix(rows: rank, columns: columns, values: right, isWeight: true)
    )
  }
}
