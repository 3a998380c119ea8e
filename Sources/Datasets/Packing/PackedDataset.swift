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

  /// Writes the IDX files of both parts under MNIST's names, and `labels.txt` where classes are not called as their values.
  ///
  /// A part without images has no files. The folder appears only when it is complete. Throws a `FileError`.
  ///
  /// - Returns: the names of the files.
  package func write(to path: String, gzip: Bool) throws(FileError) -> [String] {
    let folder = try AtomicFolder(path: path)
    var names: [String] = []
    for (part, members) in [(DatasetSource.Part.training, split.training), (.test, split.test)]
    where !members.isEmpty {
      let extents = shape.channels == 1 ? [shape.height, shape.width] : shape.extents
      for (kind, array) in [
        (
          IDXFileName.Kind.images,
          IDX(
            elementType: .uint8, dimensions: [members.count] + extents,
            payload: members.flatMap { images[$0].pixels })
        ),
        (
          .labels,
          IDX(
            elementType: .uint8, dimensions: [members.count],
            payload: members.map { UInt8(classes.values[Int(labels[$0])]) })
        ),
      ] {
        let name = part.fileName(kind, rank: array.dimensions.count) + (gzip ? ".gz" : "")
        try array.write(to: "\(folder.temporaryPath)/\(name)", gzip: gzip)
        names.append(name)
      }
    }
    if !classes.isNamedByValues {
      let text = classes.names.map { $0 + "\n" }.joined()
      try AtomicFile.write(Array(text.utf8), to: "\(folder.temporaryPath)/labels.txt")
      names.append("labels.txt")
    }
    try folder.commit()
    return names
  }
}
