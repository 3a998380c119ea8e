import Datasets
import HostInference
import Tensors
import Testing

@testable import Training

struct PredictTests {
  private func probabilities(_ network: Network, _ data: Dataset) throws -> [Float] {
    try (0..<data.count).flatMap { image in
      try network.predict(Array(data.pixels[image * data.shape.count..<(image + 1) * data.shape.count]))
        .probabilities
    }
  }

  private func largestDifference(_ a: [Float], _ b: [Float]) -> Float {
    zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// The runtime sums in another order than training, and folds batch normalisation: some roundings of values near 1.
  @Test(arguments: SampleNetwork.all)
  func theRuntimeAgreesWithTraining(sample: SampleNetwork) throws {
    let checkpoint = try sample.checkpoint()
    let data = sample.images(20)
    // Labels do not matter here, but there must be a class for each output.
    let labelled = Dataset(
      shape: data.shape, pixels: data.pixels, labels: data.labels, classes: checkpoint.classes, source: "")
    let expected = Predictions(of: checkpoint.model, for: labelled, threads: 1).probabilities
    let network = try Network(copying: checkpoint.lowered().ink())
    #expect(largestDifference(try probabilities(network, data), expected) < 1e-5)
  }

  /// Kernels fuse multiplications with additions and sum in another order.
  @Test(arguments: SampleNetwork.all, TensorType.allCases)
  func kernelsAgreeWithThePlainLoops(sample: SampleNetwork, type: TensorType) throws {
    let network = try Network(copying: sample.checkpoint().lowered().ink(type))
    let data = sample.images(5)
    let expected = try probabilities(network, data)
    for set in Network.kernelSets {
      let fast = network.preparedForHost(kernels: set)
      #expect(largestDifference(try probabilities(fast, data), expected) < 1e-5, "\(set)")
    }
  }

  @Test(arguments: [1, 2, 16, 64]) func anyAlignmentWillDo(alignment: Int) throws {
    let lowered = try SampleNetwork.all[2].checkpoint().lowered()
    let data = SampleNetwork.all[2].images(3)
    let expected = try probabilities(try Network(copying: lowered.ink(.float16)), data)
    let network = try Network(copying: lowered.ink(.float16, alignment: alignment))
    #expect(try probabilities(network, data) == expected)
  }

  @Test func labelsAndSizesAreKept() throws {
    var lowered = try SampleNetwork.all[6].checkpoint().lowered()
    lowered.labels[2] = "ünïcode 日本"
    lowered.labelValues = [-3, 0, 5, 6, 7, 70_000]
    let network = try Network(copying: lowered.ink(.int8))
    #expect(network.labels == lowered.labels && network.classCount == 6)
    #expect((0..<6).map(network.labelValue) == lowered.labelValues)
    #expect(network.input.extent == Extent3(channels: 2, height: 9, width: 7))
    #expect(throws: ImageSizeError.self) { try network.predict([1, 2, 3]) }
  }
}
