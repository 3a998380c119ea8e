import PlainText
import Tensors

/// Images by class, parted into training and test, to be written as the files that training reads.
package struct PackedDataset {
  package let shape: ImageShape
  package let classes: ClassTable
  package let split: StratifiedSplit
  private let images: [PackedImage]
  private let labels: [UInt16]

  /// Parts images by the seed; see `StratifiedSplit`.
  ///
  /// Throws a `FileError` for more classes than labels can tell apart, or no image.
  ///
  /// - Parameter origin: where the images come from, for messages.
  package init(
    _ images: [PackedImage], shape: ImageShape, testShare: Double, seed: UInt64, origin: String
  ) throws(FileError) {
    guard !images.isEmpty else {
      throw FileError(
        .malformed, path: origin, expected: "pictures of classes", found: "none that can be packed",
        remedy: "look at what was left out")
    }
    let classes = try ClassTable(names: Set(images.map(\.className)), origin: origin)
    let indexOfName = Dictionary(uniqueKeysWithValues: zip(classes.names, 0...))
    self.images = images
    self.shape = shape
    self.classes = classes
    labels = images.map { UInt16(indexOfName[$0.className] ?? 0) }
    split = StratifiedSplit(
      labels: labels, equal: EqualImages(images.lazy.map { $0.pixels[...] }), testShare: testShare, seed: seed
    )
  }

  /// How many images there are of each class in a part.
  package func counts(of members: [Int]) -> [Int] {
    members.reduce(into: [Int](repeating: 0, count: classes.count)) { $0[Int(labels[$1])] += 1 }
  }

  /// Writes both parts; see `DatasetFiles`.
  ///
  /// - Returns: the names of the files.
  package func write(to path: String, gzip: Bool) throws(FileError) -> [String] {
    let parts = [(DatasetSource.Part.training, split.training), (.test, split.test)].map { part, members in
      DatasetFiles.Part(
        part: part, pixels: members.flatMap { images[$0].pixels },
        labels: members.map { UInt8(classes.values[Int(labels[$0])]) })
    }
    return try DatasetFiles(shape: shape, classes: classes, parts: parts).write(to: path, gzip: gzip)
  }
}
