import Tensors

/// Labelled images in memory, one byte a pixel and channel, as they came from disk.
public struct Dataset: Sendable {
  /// The extent of each image.
  public let shape: ImageShape
  /// All pixels, [count, channels, height, width]; 0 is paper, 255 is full ink.
  public let pixels: [UInt8]
  /// The class of each image, an index into `classes`, or `noClass`.
  public let labels: [UInt16]
  /// The classes in order of their label values.
  public let classes: ClassTable
  /// Where the images came from, for messages and run records.
  public let source: String

  /// Stands for no class: what an outlier has, an image that shows none of them.
  public static let noClass = UInt16.max

  /// A data set of pixels [count, channels, height, width] and class indices.
  ///
  /// - Precondition: `pixels.count == labels.count * shape.count`, each label is an index into `classes` or `noClass`.
  public init(shape: ImageShape, pixels: [UInt8], labels: [UInt16], classes: ClassTable, source: String) {
    precondition(pixels.count == labels.count * shape.count)
    precondition(labels.allSatisfy { Int($0) < classes.count || $0 == Self.noClass })
    self.shape = shape
    self.pixels = pixels
    self.labels = labels
    self.classes = classes
    self.source = source
  }

  /// The number of images.
  public var count: Int { labels.count }

  /// The images at `members`, in that order.
  ///
  /// - Precondition: each is in 0..<count.
  public func images(at members: [Int]) -> Dataset {
    Dataset(
      shape: shape, pixels: members.flatMap { pixels[$0 * shape.count..<($0 + 1) * shape.count] },
      labels: members.map { labels[$0] }, classes: classes, source: source)
  }
}
