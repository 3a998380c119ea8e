import Datasets
import Inference

extension LoweredNetwork {
  /// The same network with arithmetic in whole numbers, wherever a convolution or dense layer gets bytes: from the
  /// pixels on, through every such layer that ends in a ReLU.
  ///
  /// A layer's outputs are bytes of 0 to 127; the scale is the one with which the values that occur on `images` lose
  /// the least (by squared error, from a histogram). A few hundred images of the training set are enough.
  ///
  /// - Precondition: the network takes images of that shape.
  public func withWholeNumbers(calibratedOn images: Dataset) -> LoweredNetwork {
    let scales = ActivationRanges(self, images).scales
    var result = self
    var storage: Float? = input.offset == 0 ? input.scale : nil
    for (index, operation) in operations.enumerated() {
      switch operation {
      case .convolution(var convolution):
        convolution.integers = Self.integers(storage, convolution.activation, scales[index])
        result.operations[index] = .convolution(convolution)
        storage = convolution.integers.flatMap { $0.output > 0 ? $0.output : nil }
      case .dense(var dense):
        dense.integers = Self.integers(storage, dense.activation, scales[index])
        result.operations[index] = .dense(dense)
        storage = dense.integers.flatMap { $0.output > 0 ? $0.output : nil }
      case .maximumPool, .flatten: break
      case .averagePool, .globalAveragePool, .softmax, .activation, .affine: storage = nil
      }
    }
    return result
  }

  private static func integers(
    _ input: Float?, _ activation: Operation.Activation, _ scale: Float?
  ) -> Operation.IntegerScales? {
    input.map { Operation.IntegerScales(input: $0, output: activation == .rectifier ? scale ?? 0 : 0) }
  }
}

/// Which values follow each operation on some images.
private struct ActivationRanges {
  private static let binCount = 2048
  private static let most = 127
  /// By operation: the largest value, and how often values fall into bins up to it.
  private var largest: [Int: Float] = [:]
  private var bins: [Int: [Int]] = [:]

  init(_ network: LoweredNetwork, _ images: Dataset) {
    let stored = network.tensors.map { QuantizedMatrix($0, as: .float32) }
    guard var float = try? Network(copying: InkWriter(network, tensors: stored).bytes) else { return }
    float.prepare()
    Self.forEach(images, float) { operation, values in
      largest[operation] = values.reduce(largest[operation] ?? 0) { max($0, $1) }
    }
    Self.forEach(images, float) { operation, values in
      guard let largest = largest[operation], largest > 0 else { return }
      let factor = Float(Self.binCount - 1) / largest
      // Zeros are exact with any scale.
      for value in values where value > 0 {
        bins[operation, default: [Int](repeating: 0, count: Self.binCount)][Int(value * factor)] += 1
      }
    }
  }

  /// The scale with the least squared error, by operation.
  var scales: [Int: Float] {
    Dictionary(
      uniqueKeysWithValues: bins.map { operation, counts in
        let largest = largest[operation] ?? 1
        let candidates = (0..<100).map { largest / Float(Self.most) * (1 - 0.009 * Float($0)) }
        let best = candidates.min { error(of: $0, counts, largest) < error(of: $1, counts, largest) }
        return (operation, best ?? largest / Float(Self.most))
      })
  }

  private func error(of scale: Float, _ counts: [Int], _ largest: Float) -> Double {
    var sum = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      let value = largest * (Float(bin) + 0.5) / Float(Self.binCount)
      let number = min(Float(Self.most), (value / scale).rounded(.toNearestOrEven))
      sum += Double(count) * Double((value - number * scale) * (value - number * scale))
    }
    return sum
  }

  private static func forEach(
    _ images: Dataset, _ network: Network,
    _ body: (_ operation: Int, _ values: UnsafeBufferPointer<Float>) -> Void
  ) {
    var probabilities = [Float](repeating: 0, count: network.classCount)
    images.pixels.withUnsafeBufferPointer { pixels in
      probabilities.withUnsafeMutableBufferPointer { target in
        withUnsafeTemporaryAllocation(byteCount: network.scratchByteCount, alignment: 64) { scratch in
          guard let pixels = pixels.baseAddress, let target = target.baseAddress,
            let scratch = scratch.baseAddress
          else { return }
          for image in 0..<images.count {
            network.observe(
              pixels + image * images.shape.count, scratch: scratch, probabilities: target, body)
          }
        }
      }
    }
  }
}
