import HostInference
import Kernels
import Testing
import SampleNetworks
import Training
import WideKernels

@testable import Inference

/// Whole numbers give the same bits whatever the kernels.
struct PreparedIntegersTests {
  /// The sets of this processor, and those with the longest vectors.
  private static var sets: [InklingKernels] {
    var count = 0
    guard let sets = inkling_kernels(&count) else { return [] }
    let wide = [inkling_wide_kernels(), inkling_wide_vnni_kernels()]
    return ((0..<count).map { sets[$0] } + wide).compactMap { $0?.pointee }
  }

  private func probabilities(_ network: Network, _ pixels: [UInt8], images: Int) throws -> [Float] {
    let count = network.input.extent.count
    return try (0..<images).flatMap { image in
      try network.predict(Array(pixels[image * count..<(image + 1) * count])).probabilities
    }
  }

  private func check(
    _ network: Network, _ pixels: [UInt8], images: Int, within tolerance: Float = 0
  ) throws {
    let expected = try probabilities(network, pixels, images: images)
    // Were all activations 0, little would be tested.
    #expect(Set(expected).count > 2 || network.classCount == 1)
    for set in Self.sets {
      var fast = network
      fast.prepared = PreparedNetwork(network, kernels: set)
      let found = try probabilities(fast, pixels, images: images)
      let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
      #expect(difference <= tolerance, "\(String(cString: set.name))")
    }
  }

  @Test(arguments: SampleNetwork.integers, [TensorType.int8, .int4])
  func kernelsAgreeWithThePlainLoopsBitForBit(sample: SampleNetwork, type: TensorType) throws {
    let lowered = try sample.checkpoint().lowered().withIntegers()
    // Floats are added up in another order, as in networks without whole numbers.
    let tolerance: Float = lowered.operations.contains(where: \.addsFloats) ? 1e-5 : 0
    let images = sample.images(12)
    try check(Network(copying: lowered.ink(type)), images.pixels, images: images.count, within: tolerance)
  }

  /// With a factor below 0 the largest sum is not the largest output.
  @Test func aPoolBehindANegativeScaleIsRight() throws {
    let sample = SampleNetwork(layers: "conv 3x3 4, relu, maxpool 2, dense 3")
    let lowered = try sample.checkpoint().lowered().withIntegers()
    var bytes = lowered.ink(.int8)
    let scales = QuantizedMatrix(lowered.tensors[0], as: .int8).scales
    let start = try #require(bytes.firstRange(of: scales.flatMap { littleEndian($0.bitPattern) })).lowerBound
    // The sign is the highest bit of a scale's last byte.
    for scale in scales.indices { bytes[start + 4 * scale + 3] ^= 0x80 }
    bytes.replaceSubrange(
      (bytes.count - 4)..., with: littleEndian(inkling_crc32(0, bytes, bytes.count - 4)))
    try check(Network(copying: bytes), sample.images(12).pixels, images: 12)
  }

  private func littleEndian(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }
}

extension Operation {
  fileprivate var addsFloats: Bool {
    switch self {
    case .convolution(let convolution): convolution.integers == nil
    case .dense(let dense): dense.integers == nil
    default: false
    }
  }
}
