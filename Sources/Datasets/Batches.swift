import Tensors

/// Images in the order in which an epoch of training takes them, as a network's input.
///
/// The order depends only on seed and epoch; an image's augmentation on seed, epoch and its place in the
/// data set.
public struct Batches: Sendable {
  public let dataset: Dataset
  /// The images that take part, as positions in the data set.
  public let members: [Int32]
  public let batchSize: Int
  public let seed: UInt64
  public let augmentation: Augmentation

  public init(
    _ dataset: Dataset, members: [Int32], batchSize: Int, seed: UInt64, augmentation: Augmentation = .none
  ) {
    precondition(batchSize >= 1)
    self.dataset = dataset
    self.members = members
    self.batchSize = batchSize
    self.seed = seed
    self.augmentation = augmentation
  }

  /// Steps in an epoch; the last batch may be short.
  public var stepsPerEpoch: Int { (members.count + batchSize - 1) / batchSize }

  /// The members, shuffled for an epoch.
  public func order(epoch: Int) -> [Int32] {
    var random = RandomStream(seed: seed, stream: .shuffle, step: epoch)
    return members.shuffled(using: &random)
  }

  /// The places in an epoch's order that batch number `step` of the epoch takes.
  public func range(step: Int) -> Range<Int> {
    step * batchSize..<min(members.count, (step + 1) * batchSize)
  }

  /// Writes one image as input values, augmented for `epoch`, to `output`: [C, H, W].
  ///
  /// `scratch` is needed where there is augmentation, one a thread. The pointer reaches into a shard's arena.
  public func fill(
    image: Int32, epoch: Int, into output: UnsafeMutablePointer<Float>, scratch: AugmentationScratch?
  ) {
    dataset.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      let source = base + Int(image) * dataset.shape.count
      if let scratch, !augmentation.isNone {
        augmentation.apply(
          to: source, shape: dataset.shape, output: output, seed: seed, epoch: epoch, index: Int(image),
          scratch: scratch)
      } else {
        PixelScale.convert(source, count: dataset.shape.count, to: output)
      }
    }
  }
}

/// How a pixel becomes an input value: 0…255 becomes 0…1.
public enum PixelScale {
  /// The pixel that becomes 1.
  public static let full: Float = 255

  /// Writes `count` pixels as values.
  public static func convert(
    _ pixels: UnsafePointer<UInt8>, count: Int, to output: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { output[i] = Float(pixels[i]) / full }
  }
}
