import PlainText
import Tensors

/// A data set as it is to be written: the IDX files of MNIST's names in a folder.
struct DatasetFiles {
  struct Part {
    let part: DatasetSource.Part
    /// [count, channels, height, width].
    var pixels: [UInt8] = []
    /// The value of each image's class.
    var labels: [UInt8] = []
  }

  let shape: ImageShape
  let classes: ClassTable
  let parts: [Part]

  /// Writes the files of each part that has images, and `labels.txt` where classes are not called as their values.
  ///
  /// The folder appears only when it is complete. Throws a `FileError`.
  ///
  /// - Returns: the names of the files.
  func write(to path: String, gzip: Bool) throws(FileError) -> [String] {
    let folder = try AtomicFolder(path: path)
    let extents = shape.channels == 1 ? [shape.height, shape.width] : shape.extents
    var names: [String] = []
    for part in parts where !part.labels.isEmpty {
      let count = part.labels.count
      for (kind, array) in [
        (
          IDXFileName.Kind.images,
          IDX(elementType: .uint8, dimensions: [count] + extents, payload: part.pixels)
        ),
        (.labels, IDX(elementType: .uint8, dimensions: [count], payload: part.labels)),
      ] {
        let name = part.part.fileName(kind, rank: array.dimensions.count) + (gzip ? ".gz" : "")
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
