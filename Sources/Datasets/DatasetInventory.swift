/// What a folder of IDX files holds: images by class and part, and which of them are the same.
package struct DatasetInventory: Sendable {
  /// One of the folder's parts.
  package struct Part: Sendable {
    package let part: DatasetSource.Part
    package let data: Dataset
    package let pixels: PixelStatistics
    /// Images that have the same pixels as an earlier one of the part.
    package fileprivate(set) var repeatedCount = 0

    /// How many images have this label value.
    package func count(of value: Int) -> Int {
      data.classes.values.firstIndex(of: value).map { counts[$0] } ?? 0
    }

    private let counts: [Int]

    fileprivate init(_ part: DatasetSource.Part, _ data: Dataset) {
      self.part = part
      self.data = data
      pixels = PixelStatistics(data.pixels)
      counts = data.classCounts(of: 0..<Int32(data.count))
    }
  }

  /// An image, by its part and its number in it, counted from 0.
  package struct Place: Hashable, Sendable {
    package let part: DatasetSource.Part
    package let index: Int
    /// As the file holds it.
    package let label: Int
  }

  /// Training first; a folder may have one part alone.
  package private(set) var parts: [Part] = []
  /// Of both parts.
  package let classes: ClassTable
  /// Test images whose pixels are in training as well, each with the first that has them.
  package private(set) var leaks: [(test: Place, training: Place)] = []
  /// Images whose pixels are there under another label as well, each with the first that has another.
  package private(set) var contradictions: [(image: Place, other: Place)] = []

  /// Reads and compares all images. Throws a `FileError` for anything wrong with a file.
  ///
  /// Cost: MNIST's 70,000 images take half a second.
  package init(folder path: String) throws(FileError) {
    parts = try DatasetFolder(path: path).load().map { Part($0.part, $0.data) }
    let pairs = parts.flatMap { zip($0.data.classes.values, $0.data.classes.names) }
    let nameOfValue = Dictionary(pairs) { first, _ in first }
    let values = nameOfValue.keys.sorted()
    classes = ClassTable(values: values, names: values.map { nameOfValue[$0] ?? "\($0)" })
    compare()
  }

  private mutating func compare() {
    let starts = parts.indices.map { parts[..<$0].reduce(0) { $0 + $1.data.count } }
    func place(_ image: Int) -> Place {
      let part = starts.lastIndex { $0 <= image } ?? 0
      let (data, index) = (parts[part].data, image - starts[part])
      return Place(
        part: parts[part].part, index: index, label: data.classes.values[Int(data.labels[index])])
    }
    let equal = EqualImages(parts.map { $0.data.images }.joined())
    for group in equal.groups {
      let places = group.map(place)
      for index in parts.indices {
        let count = places.count { $0.part == parts[index].part }
        parts[index].repeatedCount += max(0, count - 1)
      }
      if let first = places.first(where: { $0.part == .training }) {
        leaks += places.filter { $0.part == .test }.map { ($0, first) }
      }
      for place in places {
        if let other = places.first(where: { $0.label != place.label }) {
          contradictions.append((place, other))
        }
      }
    }
  }
}
