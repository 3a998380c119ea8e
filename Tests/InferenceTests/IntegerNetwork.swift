import Datasets
import Tensors
import SampleNetworks
import Training

@testable import Inference

extension SampleNetwork {
  /// Networks that between them have what integer operations can meet: kernels and strides of all kinds, pools that
  /// are done in the same breath and others, groups, floats behind bytes.
  static let integers: [SampleNetwork] =
    all + [
      SampleNetwork(
        layers: "conv 5x5 6 same, relu, maxpool 2, conv 5x5 16, relu, maxpool 2, "
          + "dense 120, relu, dense 84, relu, dense 10", shape: ImageShape(channels: 1, height: 28, width: 28)
      ),
      SampleNetwork(layers: "conv 3x3 33, relu, conv 3x3 70, relu, maxpool 2, dense 128, relu, dense 3"),
      SampleNetwork(layers: "dense 128, relu, dense 17, relu, dense 10"),
      SampleNetwork(
        layers: "conv 2x5 5 stride 2 same, relu, conv 3x1 9 stride 1x2, relu, maxpool 3 stride 2, dense 4",
        shape: ImageShape(channels: 3, height: 29, width: 23)),
      SampleNetwork(
        layers: "conv 3x3 20 same, relu, conv 3x3 7 groups 1 same, leakyrelu 0.1, maxpool 2, dense 5"),
      SampleNetwork(layers: "conv 3x3 8, relu, avgpool 2, conv 2x2 3, relu, dense 2"),
      SampleNetwork(
        layers: "conv 3x3 8, relu, conv 3x3 8 groups 2, relu, conv 1x1 12, relu, maxpool 2, flatten, dense 9",
        shape: ImageShape(channels: 2, height: 11, width: 10)),
      SampleNetwork(layers: "maxpool 2, conv 6x6 40, relu, dense 2"),
      SampleNetwork(layers: "conv 11x11 4, relu, maxpool 2, dense 2"),
      SampleNetwork(layers: "conv 3x3 5, relu, globalavgpool, dense 4"),
    ]
}

extension LoweredNetwork {
  /// The same operations with whole numbers as far as bytes go from the pixels on.
  ///
  /// The scale of activations is a guess: some are 0, some are cut off at 127, most lie between.
  func withIntegers(activationScale: Float = 0.015) -> LoweredNetwork {
    var network = self
    var scale = input.offset == 0 ? input.scale : nil
    func scales(_ activation: Operation.Activation) -> Operation.IntegerScales? {
      guard let input = scale else { return nil }
      let output = activation == .rectifier ? activationScale : 0
      scale = output > 0 ? output : nil
      return Operation.IntegerScales(input: input, output: output)
    }
    network.operations = operations.map { operation in
      switch operation {
      case .convolution(var convolution):
        convolution.integers = scales(convolution.activation)
        return .convolution(convolution)
      case .dense(var dense):
        dense.integers = scales(dense.activation)
        return .dense(dense)
      case .maximumPool, .flatten: return operation
      default:
        scale = nil
        return operation
      }
    }
    return network
  }
}
