import Images
import PlainText
import Tensors

/// Data sets put together: training images with training images, test images with test images.
package struct JoinedDataset {
  package let shape: ImageShape
  package let classes: ClassTable
  /// Images without ink, which were left out.
  package private(set) var leftOutCount = 0
  private var parts = [DatasetFiles.Part(part: .training), DatasetFiles.Part(part: .test)]

  /// Reads all of them.
  ///
  /// Throws a `FileError` for anything wrong with a file, and for data sets whose images have different sizes or whose
  /// classes contradict each other: one name with two label values, or one value with two names.
  ///
  /// - Parameters:
  ///   - folders: of IDX files, one or more.
  ///   - limit: the most images to take of each part of each folder, spread evenly over it; nil for all.
  ///   - fitsInk: whether images are brought into the form of `NormalizedInk`; these have one channel.
  package init(folders: [String], limit: Int?, fitsInk: Bool) throws(FileError) {
    var shape: ImageShape?
    var taken: [(DatasetSource.Part, Dataset)] = []
    var nameOfValue: [Int: String] = [:]
    for path in folders {
      for (part, data) in try DatasetFolder(path: path).load() {
        let found = fitsInk ? PictureFit.ink.shape : data.shape
        if let shape, shape != found {
          throw FileError(
            .malformed, path: data.source, expected: "images of \(shape), as in \(folders[0])",
            found: "images of \(data.shape)", remedy: "join data sets of one size, or give --fit ink")
        }
        guard !fitsInk || data.shape.channels == 1 else {
          throw FileError(
            .malformed, path: data.source, expected: "images of one channel for --fit ink",
            found: "images of \(data.shape)", remedy: "leave it out, or join without --fit ink")
        }
        shape = found
        try Self.add(data.classes, of: path, to: &nameOfValue)
        let count = min(data.count, limit ?? data.count)
        taken.append((part, data.images(at: (0..<count).map { $0 * data.count / count })))
      }
    }
    let values = nameOfValue.keys.sorted()
    classes = ClassTable(values: values, names: values.map { nameOfValue[$0] ?? "\($0)" })
    self.shape = shape ?? PictureFit.ink.shape
    for (part, data) in taken { add(data, to: part == .training ? 0 : 1, fitsInk: fitsInk) }
  }

  /// The number of images of each part, training first.
  package var counts: [Int] { parts.map(\.labels.count) }

  /// Writes both parts; see `DatasetFiles`. Throws a `FileError` also where all images were left out.
  ///
  /// - Returns: the names of the files.
  package func write(to path: String, gzip: Bool) throws(FileError) -> [String] {
    guard counts != [0, 0] else {
      throw FileError(
        .malformed, path: path, expected: "images with ink to write",
        found: "none, of \(leftOutCount.of("image"))",
        remedy: "join without --fit ink")
    }
    return try DatasetFiles(shape: shape, classes: classes, parts: parts).write(to: path, gzip: gzip)
  }

  private static func add(
    _ classes: ClassTable, of path: String, to nameOfValue: inout [Int: String]
  ) throws(FileError) {
    for (value, name) in zip(classes.values, classes.names) {
      guard (0..<ClassTable.largestPackedCount).contains(value) else {
        throw FileError(
          .malformed, path: path, expected: "label values from 0 to \(ClassTable.largestPackedCount - 1)",
          found: "\(value)", remedy: "number the classes from 0")
      }
      let other = nameOfValue.first { $0.value == name }?.key ?? value
      let known = nameOfValue[value] ?? name
      guard other == value, known == name else {
        throw FileError(
          .malformed, path: path,
          expected: known == name
            ? "class \(name.quoted) as label \(other), as before"
            : "class \(known.quoted) as label \(value), as before",
          found: "class \(name.quoted) as label \(value)",
          remedy: "give the classes the same names in the same order")
      }
      nameOfValue[value] = name
    }
  }

  private mutating func add(_ data: Dataset, to index: Int, fitsInk: Bool) {
    for image in 0..<data.count {
      let pixels = data.pixels[image * data.shape.count..<(image + 1) * data.shape.count]
      if fitsInk {
        let picture = Bitmap(
          width: data.shape.width, height: data.shape.height, channels: 1, pixels: Array(pixels))
        guard let ink = try? PictureFit.ink.pixels(of: picture) else {
          leftOutCount += 1
          continue
        }
        parts[index].pixels += ink
      } else {
        parts[index].pixels += pixels
      }
      parts[index].labels.append(UInt8(data.classes.values[Int(data.labels[image])]))
    }
  }
}
