import Datasets
import HostInference
import SampleNetworks
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
    // NaN is as far away as can be.
    zip(a, b).reduce(0) { largest, pair in
      let difference = abs(pair.0 - pair.1)
      return difference > largest || difference.isNaN ? (difference.isNaN ? .infinity : difference) : largest
    }
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

  /// Sums of whole numbers are exact, and requantisation is the same float operations: the same bits.
  @Test(arguments: SampleNetwork.all, [TensorType.int8, .int4])
  func wholeNumbersGiveTheSameBits(sample: SampleNetwork, type: TensorType) throws {
    let lowered = try sample.checkpoint().lowered().withWholeNumbers(calibratedOn: sample.images(30))
    let isWhole = lowered.operations.allSatisfy { operation in
      switch operation {
      case .convolution(let convolution): convolution.integers != nil
      case .dense(let dense): dense.integers != nil
      default: true
      }
    }
    let network = try Network(copying: lowered.ink(type))
    let data = sample.images(10)
    let expected = try probabilities(network, data)
    for set in Network.kernelSets {
      let found = try probabilities(network.preparedForHost(kernels: set), data)
      if isWhole {
        #expect(found.map(\.bitPattern) == expected.map(\.bitPattern), "\(set)")
      } else {
        // A layer that does not end in a ReLU hands floats on, with which the rest is computed.
        #expect(largestDifference(found, expected) < 1e-5, "\(set)")
      }
    }
    // Nor do they stray far from floats: numbers of 7 and 8 bits, or weights of 4.
    let floats = try probabilities(try Network(copying: sample.checkpoint().lowered().ink()), data)
    #expect(largestDifference(expected, floats) < (type == .int8 ? 0.1 : 0.6))
  }

  /// A block's sums are in another order.
  @Test(arguments: SampleNetwork.all, [1, 2, 17, 70]) func batchesAgreeWithSingleImages(
    sample: SampleNetwork, count: Int
  ) throws {
    let data = sample.images(count)
    for type in [TensorType.float32, .int8] {
      let network = try Network(copying: sample.checkpoint().lowered().ink(type)).preparedForHost()
      let expected = try probabilities(network, data)
      var batch = [Float](repeating: .nan, count: count * network.classCount)
      withUnsafeTemporaryAllocation(byteCount: network.batchScratchByteCount(count), alignment: 64) {
        scratch in
        batch.withUnsafeMutableBufferPointer { target in
          guard let scratch = scratch.baseAddress, let target = target.baseAddress else { return }
          network.predict(data.pixels, count: count, scratch: scratch, probabilities: target)
        }
      }
      #expect(largestDifference(batch, expected) < 1e-5)
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
