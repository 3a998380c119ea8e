import Inference
import Training

extension ONNXNetwork {
  /// An `.ink` file that computes what the ONNX file does, with whole numbers where that has them.
  package var inkAsWritten: [UInt8] {
    var (network, whole) = (network, Set<Int>())
    for (index, scales) in integers {
      network.operations[index].setIntegers(scales)
      whole.insert(network.operations[index].weights ?? -1)
    }
    let tensors = network.tensors.enumerated().map { index, matrix in
      guard whole.contains(index) else { return QuantizedMatrix(matrix, as: .float32) }
      // Weights that were four bits are multiples of their row's scale, which eight bits cannot say.
      let four = QuantizedMatrix(matrix, as: .int4)
      let isExact = zip(four.values, matrix.values).allSatisfy { abs($0 - $1) <= 1e-5 * abs($1) }
      return isExact ? four : QuantizedMatrix(matrix, as: .int8)
    }
    return InkWriter(network, tensors: tensors).bytes
  }
}

extension Operation {
  fileprivate var weights: Int? {
    switch self {
    case .convolution(let convolution): convolution.weights
    case .dense(let dense): dense.weights
    default: nil
    }
  }

  fileprivate mutating func setIntegers(_ scales: IntegerScales) {
    switch self {
    case .convolution(var convolution):
      convolution.integers = scales
      self = .convolution(convolution)
    case .dense(var dense):
      dense.integers = scales
      self = .dense(dense)
    default: break
    }
  }
}
