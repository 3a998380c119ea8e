import PlainText

extension Dataset {
  /// Loads images and labels from two IDX files, raw or gzip.
  ///
  /// - Parameters:
  ///   - imagesPath: The file of images.
  ///   - labelsPath: The file of labels, one for each image.
  ///   - transpose: Swaps height and width of each image, as EMNIST needs.
  ///   - names: Names for the classes; without them a class is called as its label value.
  ///   - classes: The classes to use, instead of those that the names list or that occur.
  ///
  /// Throws a `FileError` for anything wrong with either file, or if they differ in number.
  /// MNIST's 70,000 images take some 0.2 s from gzip, and little more memory than their pixels.
  public static func load(
    images imagesPath: String, labels labelsPath: String, transpose: Bool = false, names: ClassNames? = nil,
    classes: ClassTable? = nil
  ) throws(FileError) -> Dataset {
    let labels = try DecodedLabels(IDX.read(labelsPath), path: labelsPath)
    let pixels = try DecodedPixels(IDX.read(imagesPath), path: imagesPath, transpose: transpose)
    guard labels.values.count == pixels.count else {
      throw FileError(
        .malformed, path: labelsPath, byteOffset: 4,
        expected: "\(pixels.count.groupedDigits) labels, one for each image of \(imagesPath)",
        found: "\(labels.values.count.groupedDigits) labels", remedy: "name two files that belong together")
    }
    let classes = if let classes { classes } else { try labels.classTable(names: names) }
    return Dataset(
      shape: pixels.shape, pixels: pixels.bytes, labels: try labels.classIndices(in: classes),
      classes: classes, source: imagesPath)
  }
}
