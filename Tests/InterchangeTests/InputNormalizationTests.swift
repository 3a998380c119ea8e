import Datasets
import Tensors
import Testing
import Training

@testable import Interchange

struct InputNormalizationTests {
  private let shape = ImageShape(channels: 2, height: 5, width: 4)
  private let normalization = InputNormalization(mean: [0.13, 0.4], deviation: [0.3, 0.2])

  private func model(_ layers: String) throws -> Model {
    var model = try Model(architecture: Architecture(input: shape, parsing: layers), seed: 3)
    for slot in model.table.slots where slot.name == "bias" {
      for index in slot.range { model.values[index] = Float(index % 7) / 10 - 0.3 }
    }
    return model
  }

  private var images: Dataset {
    var random = RandomStream(seed: 5, stream: RandomStream.Stream(rawValue: 1 << 26))
    let pixels = (0..<6 * shape.count).map { _ in UInt8.random(in: 0...255, using: &random) }
    return Dataset(
      shape: shape, pixels: pixels, labels: Array(repeating: 0, count: 6),
      classes: ClassTable(values: [0, 1, 2]),
      source: "noise")
  }

  /// What a model makes of images whose pixels are normalised first, as PyTorch does it: a dense or padded
  /// convolution layer's sums written out, and the network behind it.
  private func expected(_ layers: String) throws -> [Float] {
    // Normalising is a dense layer's or a 1x1 convolution's work; zeros come in only after it.
    var front = try Architecture(input: shape, parsing: "conv 1x1 2 groups 2, \(layers)")
    front = try Architecture(input: shape, layers: front.layers)
    let own = try model(layers)
    var model = Model(architecture: front, values: Array(repeating: 0, count: ParameterTable(front).count))
    for slot in model.table.slots {
      if slot.layer == 0 {
        for (channel, index) in slot.range.enumerated() {
          let (mean, deviation) = (normalization.mean[channel], normalization.deviation[channel])
          model.values[index] = slot.name == "weight" ? 1 / deviation : -mean / deviation
        }
      } else if let from = own.table.slots.first(where: { $0.layer == slot.layer - 1 && $0.name == slot.name }
      ) {
        model.values.replaceSubrange(slot.range, with: own.values[from.range])
      }
    }
    return Predictions(of: model, for: images, threads: 1).probabilities
  }

  @Test(arguments: [
    ("dense 4, relu, dense 3", "dense 4, relu, dense 3"),
    ("dense 4 nobias, relu, dense 3", "dense 4, relu, dense 3"),
    ("flatten, dense 3", "flatten, dense 3"),
    ("conv 3x2 4, relu, dense 3", "conv 3x2 4, relu, dense 3"),
    ("conv 3x2 4 stride 2 groups 2 nobias, relu, dense 3", "conv 3x2 4 stride 2 groups 2, relu, dense 3"),
    ("conv 3x3 4 same, relu, dense 3", "batchnorm, conv 3x3 4 same, relu, dense 3"),
    ("relu, dense 3", "batchnorm, relu, dense 3"),
    ("maxpool 2, dense 3", "batchnorm, maxpool 2, dense 3"),
  ])
  func computesTheSameOfPlainPixels(layers: String, result: String) throws {
    let model = try model(layers).taking(normalizedBy: normalization)
    #expect(model.architecture.text == result)
    let probabilities = Predictions(of: model, for: images, threads: 1).probabilities
    // Some tens of sums of magnitudes around 10 in single precision.
    for (a, b) in zip(probabilities, try expected(layers)) { #expect(abs(a - b) < 1e-5) }
    let unchanged = Predictions(of: try self.model(layers), for: images, threads: 1).probabilities
    #expect(zip(probabilities, unchanged).contains { abs($0 - $1) > 0.01 })
  }

  @Test func oneNumberIsForAllChannels() throws {
    let model = try model("dense 3")
    #expect(
      try model.taking(normalizedBy: InputNormalization(mean: [0.1], deviation: [0.5])).values
        == model.taking(normalizedBy: InputNormalization(mean: [0.1, 0.1], deviation: [0.5, 0.5])).values)
  }

  @Test func pixelsStayFinite() throws {
    let network = try ExportSource(Checkpoint(model: try model("dense 3"), classes: images.classes)).network
    for (mean, deviation) in [
      ([0], [.leastNonzeroMagnitude]), ([1000], [1e-36]), ([0], [0.5, .leastNonzeroMagnitude]),
    ] as [([Float], [Float])] {
      #expect(throws: InterchangeError.self) {
        try network.taking(normalizedBy: InputNormalization(mean: mean, deviation: deviation))
      }
    }
  }

  @Test func refusesWhatIsNoDeviation() throws {
    for (mean, deviation, layers) in [
      ([0, 0, 0], [1], "dense 3"), ([0], [1, 1, 1], "dense 3"), ([0], [0], "dense 3"), ([0], [-1], "dense 3"),
      ([.infinity], [1], "dense 3"), ([0], [0.001], "conv 3x3 2 same, dense 3"), ([], [1], "dense 3"),
    ] as [([Float], [Float], String)] {
      let model = try model(layers)
      #expect(throws: InterchangeError.self) {
        try model.taking(normalizedBy: InputNormalization(mean: mean, deviation: deviation))
      }
    }
  }
}
