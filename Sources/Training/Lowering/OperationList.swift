import Inference

/// Operations as they come, with what can be folded folded: an activation into the sums before it, and a factor and a
/// shift a channel into their weights and bias.
package struct OperationList: Sendable {
  package private(set) var operations: [Operation] = []
  package private(set) var tensors: [LoweredNetwork.Matrix] = []

  package init() {}

  package mutating func add(_ operation: Operation) { operations.append(operation) }

  /// Weights [outputs, inputs], and a bias for each output or none.
  package mutating func addDense(_ weights: LoweredNetwork.Matrix, bias: [Float]?) {
    let (weights, outputs) = (add(weights), weights.rows)
    operations.append(
      .dense(
        Operation.Dense(
          activation: .none, outputs: outputs, weights: weights, bias: bias.map { addColumn($0) } ?? noTensor)
      ))
  }

  /// Weights [filters, channels / groups · height · width], and a bias for each filter or none.
  package mutating func addConvolution(
    _ weights: LoweredNetwork.Matrix, bias: [Float]?, window: Operation.Window,
    padding: (top: Int, left: Int, bottom: Int, right: Int), groups: Int
  ) {
    let (weights, filters) = (add(weights), weights.rows)
    operations.append(
      .convolution(
        Operation.Convolution(
          activation: .none, filters: filters, window: window, padding: padding, groups: groups,
          weights: weights, bias: bias.map { addColumn($0) } ?? noTensor)))
  }

  /// An activation of what was added last, inside of it where that is a sum that nothing has happened to yet.
  package mutating func add(_ activation: Operation.Activation) {
    switch operations.last {
    case .convolution(var last) where last.activation == .none:
      last.activation = activation
      operations[operations.count - 1] = .convolution(last)
    case .dense(var last) where last.activation == .none:
      last.activation = activation
      operations[operations.count - 1] = .dense(last)
    default: operations.append(.activation(activation))
    }
  }

  /// Multiplies each channel by its factor and adds its shift: in the weights and bias before it, where those are sums
  /// that nothing has happened to yet.
  package mutating func addAffine(factors: [Float], shifts: [Float]) {
    switch operations.last {
    case .convolution(var last) where last.activation == .none:
      last.bias = fold(factors, shifts, into: last.weights, last.bias)
      operations[operations.count - 1] = .convolution(last)
    case .dense(var last) where last.activation == .none:
      last.bias = fold(factors, shifts, into: last.weights, last.bias)
      operations[operations.count - 1] = .dense(last)
    default: operations.append(.affine(scale: addColumn(factors), shift: addColumn(shifts)))
    }
  }

  private var noTensor: Int { InkFormat.noTensor }

  private mutating func add(_ matrix: LoweredNetwork.Matrix) -> Int {
    tensors.append(matrix)
    return tensors.count - 1
  }

  private mutating func addColumn(_ values: [Float]) -> Int {
    add(LoweredNetwork.Matrix(rows: values.count, columns: 1, values: values, isWeight: false))
  }

  private mutating func fold(_ factors: [Float], _ shifts: [Float], into weights: Int, _ bias: Int) -> Int {
    let columns = tensors[weights].columns
    for row in factors.indices {
      for column in row * columns..<(row + 1) * columns { tensors[weights].values[column] *= factors[row] }
    }
    guard bias != noTensor else { return addColumn(shifts) }
    for row in factors.indices {
      tensors[bias].values[row] = tensors[bias].values[row] * factors[row] + shifts[row]
    }
    return bias
  }
}
