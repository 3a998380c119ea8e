import Inference
import Training

extension ONNXNetwork {
  /// An `.ink` file that computes what the ONNX file does, with whole numbers where that has them.
  package var inkAsWritten: [UInt8] {
    var network = network
    for (index, scales) in integers { network.operations[index].setIntegers(scales) }
    let tensors = network.tensors.enumerated().map { index, matrix in
      wholeWeights[index] ?? QuantizedMatrix(matrix, as: .float32)
    }
    return InkWriter(network, tensors: tensors).bytes
  }
}

extension Operation {
  /// Which tensor the weights are, where there are any.
  var weights: Int? {
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
