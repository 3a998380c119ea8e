import PlainText

extension Dataset {
  /// The same with images behind it that show none of the classes, from IDX files of images, raw or gzip.
  ///
  /// A network that is trained on them becomes unsure of whatever is unlike its classes ("outlier exposure": Hendrycks,
  /// Mazeika and Dietterich, "Deep anomaly detection with outlier exposure", ICLR 2019).
  ///
  /// Throws a `FileError` for anything wrong with a file, or for images of another shape.
  public func withOutliers(_ paths: [String]) throws(FileError) -> Dataset {
    var (pixels, labels) = (pixels, labels)
    for path in paths {
      let outliers = try DecodedPixels(IDX.read(path), path: path, transpose: false)
      guard outliers.shape == shape else {
        throw FileError(
          .malformed, path: path, byteOffset: 4, expected: "images of \(shape), as in \(source)",
          found: "images of \(outliers.shape)", remedy: "give images of that size")
      }
      pixels += outliers.bytes
      labels += [UInt16](repeating: Self.noClass, count: outliers.count)
    }
    return Dataset(shape: shape, pixels: pixels, labels: labels, classes: classes, source: source)
  }

  /// How many of the given images there are of each class; outliers are left out.
  public func classCounts(of members: some Sequence<Int32>) -> [Int] {
    members.reduce(into: [Int](repeating: 0, count: classes.count)) { counts, image in
      let label = labels[Int(image)]
      if label != Self.noClass { counts[Int(label)] += 1 }
    }
  }

  /// How many images show none of the classes.
  public var outlierCount: Int { labels.count { $0 == Self.noClass } }
}
