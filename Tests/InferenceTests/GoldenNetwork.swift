import Inference
import Testing

@testable import Training

/// The networks of the committed files: between them every operation, type of tensor, section and activation, the
/// smallest and the largest alignment. Their numbers follow from formulas, never from a generator that may change.
struct GoldenNetwork: CustomTestStringConvertible, Sendable {
  let name: String
  let network: LoweredNetwork
  /// The type of each tensor in the file.
  let types: [TensorType]
  let alignment: Int
  var metadata: [(key: String, value: String)] = []

  var testDescription: String { name }

  /// The bytes of the file as the writer makes them now.
  var bytes: [UInt8] {
    let tensors = zip(network.tensors, types).map { QuantizedMatrix($0, as: $1) }
    return InkWriter(network, tensors: tensors, alignment: alignment, metadata: metadata).bytes
  }

  static let all = [linear, floats, halves, tiles, eightBits, fourBits, refusing]

  /// As small as a file gets.
  private static let linear = GoldenNetwork(
    name: "linear",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 1, height: 1, width: 2), isInkHigh: false, scale: -2, offset: 1),
      operations: [
        .maximumPool(.init(height: 1, width: 1, down: 1, across: 1)),
        .dense(.init(activation: .none, outputs: 1, weights: 0, bias: InkFormat.noTensor)),
      ],
      tensors: [weight(1, 2)], labels: ["x"], labelValues: [0]),
    types: [.float32], alignment: 1)

  /// Single precision, nothing aligned.
  private static let floats = GoldenNetwork(
    name: "floats",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 2, height: 9, width: 8), scale: 1 / 255, offset: -0.25),
      operations: [
        .convolution(
          .init(
            activation: .leaky(0.125), filters: 4, window: .init(height: 3, width: 2, down: 2, across: 1),
            padding: (1, 0, 2, 1), groups: 2, weights: 0, bias: 1)),
        .averagePool(.init(height: 2, width: 3, down: 1, across: 2)),
        .affine(scale: 2, shift: 3), .activation(.rectifier), .flatten,
        .dense(.init(activation: .none, outputs: 3, weights: 4, bias: 5)), .softmax,
      ],
      tensors: [
        weight(4, 6), column(4), column(4), column(4), weight(3, 48), column(3),
      ],
      labels: ["circle", "été", "三角"], labelValues: [0, 1, 2]),
    types: [.float32, .float32, .float32, .float32, .float32, .float32], alignment: 1)

  /// Half precision, all at multiples of 64.
  private static let halves = GoldenNetwork(
    name: "halves",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 1, height: 10, width: 10)),
      operations: [
        .convolution(
          .init(
            activation: .rectifier, filters: 5, window: .init(height: 3, width: 3, down: 1, across: 1),
            padding: (0, 0, 0, 0), groups: 1, weights: 0, bias: 1)),
        .maximumPool(.init(height: 2, width: 2, down: 2, across: 2)),
        .activation(.leaky(-0.5)),
        .convolution(
          .init(
            activation: .none, filters: 6, window: .init(height: 1, width: 1, down: 1, across: 1),
            padding: (0, 0, 0, 0), groups: 1, weights: 2, bias: InkFormat.noTensor)),
        .globalAveragePool,
        .dense(.init(activation: .none, outputs: 4, weights: 3, bias: 4)), .softmax,
      ],
      tensors: [weight(5, 9), column(5), weight(6, 5), weight(4, 6), column(4)],
      labels: ["3", "1", "4", "15"], labelValues: [-7, 0, 4, 70_000]),
    types: [.float16, .float32, .float16, .float16, .float16], alignment: 64,
    metadata: [("layers", "conv 3x3 5, relu"), ("note", "größer als 0"), ("empty", "")])

  /// Enough channels and filters for kernels that convolve by tiles.
  private static let tiles = GoldenNetwork(
    name: "tiles",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 1, height: 8, width: 8)),
      operations: [
        .convolution(
          .init(
            activation: .none, filters: 8, window: .init(height: 1, width: 1, down: 1, across: 1),
            padding: (0, 0, 0, 0), groups: 1, weights: 0, bias: 1)),
        .convolution(
          .init(
            activation: .rectifier, filters: 9, window: .init(height: 3, width: 3, down: 1, across: 1),
            padding: (1, 1, 1, 1), groups: 1, weights: 2, bias: 3)),
        .maximumPool(.init(height: 8, width: 4, down: 1, across: 4)), .globalAveragePool,
        .dense(.init(activation: .none, outputs: 3, weights: 4, bias: InkFormat.noTensor)), .softmax,
      ],
      tensors: [weight(8, 1), column(8), weight(9, 72), column(9), weight(3, 9)],
      labels: ["a", "b", "c"], labelValues: [1, 2, 3]),
    types: [.float32, .float32, .int4, .float32, .float32], alignment: 16)

  /// Eight bits and whole numbers all through, from pixels to the last sums.
  private static let eightBits = GoldenNetwork(
    name: "int8",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 1, height: 8, width: 9)),
      operations: [
        .convolution(
          .init(
            activation: .rectifier, integers: .init(input: 1 / 255, output: 0.0625), filters: 3,
            window: .init(height: 3, width: 3, down: 1, across: 1), padding: (1, 1, 1, 1), groups: 1,
            weights: 0, bias: 1)),
        .maximumPool(.init(height: 2, width: 2, down: 2, across: 2)), .flatten,
        .dense(
          .init(
            activation: .rectifier, integers: .init(input: 0.0625, output: 0.125), outputs: 7, weights: 2,
            bias: 3)),
        .dense(
          .init(
            activation: .none, integers: .init(input: 0.125, output: 0), outputs: 5, weights: 4,
            bias: InkFormat.noTensor)), .softmax,
      ],
      tensors: [weight(3, 9), column(3), weight(7, 48), column(7), weight(5, 7)],
      labels: ["0", "1", "2", "3", "4"], labelValues: [0, 1, 2, 3, 4]),
    types: [.int8, .float32, .int8, .float16, .int8], alignment: 4,
    metadata: [("seed", "1")])

  /// Four bits, in arithmetic with whole numbers at first and with floats behind it; rows of odd length.
  private static let fourBits = GoldenNetwork(
    name: "int4",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 3, height: 5, width: 7), scale: 0.0078125),
      operations: [
        .convolution(
          .init(
            activation: .rectifier, integers: .init(input: 0.0078125, output: 0.03125), filters: 6,
            window: .init(height: 3, width: 1, down: 2, across: 3), padding: (1, 2, 0, 1), groups: 3,
            weights: 0, bias: InkFormat.noTensor)),
        .averagePool(.init(height: 2, width: 1, down: 1, across: 2)),
        .dense(.init(activation: .leaky(0.25), outputs: 5, weights: 1, bias: 2)),
        .dense(.init(activation: .none, outputs: 2, weights: 3, bias: 4)), .softmax,
      ],
      tensors: [weight(6, 3), weight(5, 12), column(5), weight(2, 5), column(2)],
      labels: ["even", "odd"], labelValues: [0, 1]),
    types: [.int4, .int4, .float32, .int8, .float32], alignment: 1)

  /// Drawings in, and "none of these" out.
  private static let refusing = GoldenNetwork(
    name: "refusing",
    network: LoweredNetwork(
      input: .init(extent: Extent3(channels: 1, height: 28, width: 28)),
      operations: [
        .averagePool(.init(height: 7, width: 7, down: 7, across: 7)),
        .dense(.init(activation: .none, outputs: 3, weights: 0, bias: 1)), .softmax,
      ],
      tensors: [weight(3, 16), column(3)], labels: ["0", "1", "2"], labelValues: [0, 1, 2],
      refusalThreshold: 0.40625, takesNormalizedInk: true),
    types: [.int8, .float32], alignment: 4)

  /// Multiples of 1/64 between -1/2 and 1/2.
  private static func values(_ count: Int) -> [Float] {
    (0..<count).map { Float(($0 * 37 + count * 11 + $0 * $0 % 29) % 65 - 32) / 64 }
  }

  private static func weight(_ rows: Int, _ columns: Int) -> LoweredNetwork.Matrix {
    .init(rows: rows, columns: columns, values: values(rows * columns), isWeight: true)
  }

  private static func column(_ rows: Int) -> LoweredNetwork.Matrix {
    .init(rows: rows, columns: 1, values: values(rows), isWeight: false)
  }

  /// The pixels of image `number`.
  func pixels(_ number: Int) -> [UInt8] {
    (0..<network.input.extent.count).map { UInt8(($0 * (31 + 6 * number) + $0 * $0 / 3) % 256) }
  }
}
