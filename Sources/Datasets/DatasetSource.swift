/// Where a data set comes from and how it is to be read: what programs make of their options.
///
/// ```swift
/// let source = DatasetSource(folder: "Data/mnist")
/// let training = try source.load(.training)
/// let test = try source.load(.test, classes: training.classes)
/// ```
public struct DatasetSource: Hashable, Sendable {
  /// The parts of a data set.
  public enum Part: String, Sendable {
    case training, test
  }

  /// Where the files are.
  public enum Location: Hashable, Sendable {
    /// A folder with both parts, under the names that MNIST and its relatives use.
    case folder(String)
    /// One part, its two files named.
    case files(images: String, labels: String)
  }

  public var location: Location
  /// Whether height and width of each image are to be swapped, as EMNIST needs.
  public var transpose: Bool
  /// Names for the classes; nil for those that lie in the folder, or else the label values.
  public var names: ClassNames?

  public init(_ location: Location, transpose: Bool = false, names: ClassNames? = nil) {
    self.location = location
    self.transpose = transpose
    self.names = names
  }

  public init(folder: String, transpose: Bool = false, names: ClassNames? = nil) {
    self.init(.folder(folder), transpose: transpose, names: names)
  }

  public init(images: String, labels: String, transpose: Bool = false, names: ClassNames? = nil) {
    self.init(.files(images: images, labels: labels), transpose: transpose, names: names)
  }

  /// Loads one part; a source of two named files has the same for both.
  ///
  /// With `classes`, those of a model or of the training part, a label outside them is an error; otherwise the
  /// classes are those that the names list, or else the labels that occur. Throws a `FileError`.
  public func load(_ part: Part, classes: ClassTable? = nil) throws(FileError) -> Dataset {
    switch location {
    case .folder(let path):
      let folder = try DatasetFolder(path: path)
      let pair = try folder.pair(part)
      let names = if classes == nil, names == nil { try folder.classNames() } else { names }
      return try Dataset.load(
        images: pair.images, labels: pair.labels, transpose: transpose, names: names, classes: classes)
    case .files(let images, let labels):
      return try Dataset.load(
        images: images, labels: labels, transpose: transpose, names: names, classes: classes)
    }
  }
}
