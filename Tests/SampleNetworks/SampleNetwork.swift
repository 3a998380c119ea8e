import Datasets
import Inference
import Tensors

import Training

/// Networks that between them have every operation, with random numbers in them, and images to try them on.
package struct SampleNetwork: CustomStringConvertible, Sendable {
  package let layers: String
  package var shape: ImageShape

  package init(layers: String, shape: ImageShape = ImageShape(channels: 1, height: 12, width: 12)) {
    self.layers = layers
    self.shape = shape
  }

  package var description: String { "\(shape): \(layers)" }

  package static let all: [SampleNetwork] = [
    SampleNetwork(layers: "dense 5"),
    SampleNetwork(layers: "dense 33, relu, dense 3"),
    SampleNetwork(
      layers: "conv 5x5 6 same, relu, maxpool 2, conv 3x3 16, relu, maxpool 2, dense 20, relu, dense 10"),
    SampleNetwork(
      layers:
        "conv 3x3 8 same, batchnorm, relu, depthwise 3x3 stride 2 same, conv 1x1 16, relu, globalavgpool, dense 10"
    ),
    SampleNetwork(
      layers: "batchnorm, conv 3x5 7 stride 2, leakyrelu 0.1, avgpool 2, batchnorm, flatten, dense 4"),
    SampleNetwork(
      layers: "conv 2x2 6 stride 3 nobias, relu, batchnorm, dropout 0.5, dense 4 nobias, leakyrelu"),
    SampleNetwork(
      layers: "conv 3x3 4 groups 2 same, relu, maxpool 3 stride 2, dense 6",
      shape: ImageShape(channels: 2, height: 9, width: 7)),
    SampleNetwork(
      layers: "maxpool 2, relu, conv 3x3 5 stride 2 same, relu, avgpool 1x2, dense 3, batchnorm",
      shape: ImageShape(channels: 3, height: 13, width: 16)),
    SampleNetwork(layers: "relu, dense 2", shape: ImageShape(channels: 1, height: 1, width: 1)),
    SampleNetwork(layers: "conv 1x1 1, globalavgpool", shape: ImageShape(channels: 4, height: 3, width: 5)),
    // Convolutions that the kernels take by tiles, with whole and with cut ones.
    SampleNetwork(
      layers:
        "conv 3x3 8, relu, conv 3x3 20 same, relu, maxpool 2, conv 3x3 9 same, conv 3x3 16 same, dense 3",
      shape: ImageShape(channels: 1, height: 19, width: 20)),
    // As many tiles as a multiple of every vector's length.
    SampleNetwork(
      layers: "conv 3x3 8, conv 3x3 8 same, relu, dense 3",
      shape: ImageShape(channels: 1, height: 10, width: 10)),
  ]

  /// The same numbers for the same seed; running statistics that do something.
  package func checkpoint(seed: UInt64 = 1) throws -> Checkpoint {
    let architecture = try Architecture(input: shape, parsing: layers)
    var model = try Model(architecture: architecture, seed: seed)
    var random = RandomStream(seed: seed, stream: .sampleNumbers)
    for slot in model.table.slots where slot.name != "weight" {
      for index in slot.range {
        let value = Float.random(in: -0.5...0.5, using: &random)
        model.values[index] = slot.name == "runningVariance" || slot.name == "scale" ? 1 + value : value
      }
    }
    let names = (0..<architecture.output.count).map { "class \($0)" }
    return Checkpoint(model: model, classes: ClassTable(values: Array(names.indices), names: names))
  }

  package func images(_ count: Int) -> Dataset {
    var random = RandomStream(seed: 7, stream: .sampleNumbers)
    // Half of the pixels are paper, as in drawings.
    let pixels = (0..<count * shape.count).map { _ in
      Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0
    }
    return Dataset(
      shape: shape, pixels: pixels, labels: [UInt16](repeating: 0, count: count),
      classes: ClassTable(values: [0]),
      source: "noise")
  }
}

extension RandomStream.Stream {
  package static let sampleNumbers = Self(rawValue: 1 << 25)
}

extension LoweredNetwork {
  /// The bytes of an `.ink` file with all weights of one type.
  package func ink(_ type: TensorType = .float32, alignment: Int = 4) -> [UInt8] {
    let stored = tensors.map { QuantizedMatrix($0, as: $0.isWeight ? type : .float32) }
    return InkWriter(self, tensors: stored, alignment: alignment).bytes
  }
}
