import PlainText

/// Label values out of an IDX array, each with its place in the file for messages.
struct DecodedLabels {
  let path: String
  let values: [Int]
  private let array: IDX

  /// Decodes labels: one a row, or the first column of a table as QMNIST has it.
  ///
  /// Throws a `FileError` for other ranks, no labels, and values that are no whole numbers.
  init(_ array: IDX, path: String) throws(FileError) {
    let words = array.dimensions.prefix(6).map(\.groupedDigits).joined(separator: "×")
    guard array.dimensions.count <= 2 else {
      throw FileError(
        .malformed, path: path, byteOffset: 3, expected: "labels: 1 dimension",
        found: "\(array.dimensions.count) dimensions of \(words)",
        remedy: "this looks like images: name the labels file, perhaps the two are swapped")
    }
    guard array.count > 0 else {
      throw FileError(
        .malformed, path: path, byteOffset: 4, expected: "at least one label",
        found: "an empty set (\(words))", remedy: "name a file with labels")
    }
    let columnCount = array.count / array.dimensions[0]
    var values = [Int]()
    values.reserveCapacity(array.dimensions[0])
    for row in 0..<array.dimensions[0] {
      let value = array.value(at: row * columnCount)
      guard let label = Int(exactly: value) else {
        throw FileError(
          .malformed, path: path, byteOffset: array.byteOffset(of: row * columnCount),
          expected: "labels that are whole numbers",
          found: "\(value) as label \(row.groupedDigits) (counted from 0)",
          remedy: "write the labels as integers")
      }
      values.append(label)
    }
    self.path = path
    self.values = values
    self.array = array
  }

  /// The classes that occur, named by the given names or by their values.
  ///
  /// The value 255 in a file of bytes means "no label" unless the names give it one.
  func classTable(names: ClassNames?) throws(FileError) -> ClassTable {
    if case .byValue(let table) = names?.assignment { return table }
    var distinct = Set<Int>()
    for (row, value) in values.enumerated() where distinct.insert(value).inserted {
      if value == 255, array.elementType == .uint8 {
        throw error(
          row: row, expected: "a label", found: "255, which stands for \"no label\",",
          remedy: "leave such images out, or name class 255 in a mapping file")
      }
      if distinct.count > ClassTable.largestCount {
        throw error(
          row: row, expected: "at most \(ClassTable.largestCount.groupedDigits) classes", found: "one more",
          remedy: "is this a labels file?")
      }
    }
    return try (names ?? .values).table(of: distinct.sorted(), labelsPath: path)
  }

  /// The class index of each label.
  func classIndices(in classes: ClassTable) throws(FileError) -> [UInt16] {
    let indexOfValue = Dictionary(uniqueKeysWithValues: zip(classes.values, 0...))
    var indices = [UInt16]()
    indices.reserveCapacity(values.count)
    for (row, value) in values.enumerated() {
      guard let index = indexOfValue[value].flatMap(UInt16.init(exactly:)) else {
        let shown = classes.values.prefix(10).map(String.init).joined(separator: ", ")
        throw error(
          row: row,
          expected:
            "one of \(classes.count.groupedDigits) classes (\(shown)\(classes.count > 10 ? ", …" : ""))",
          found: "\(value)", remedy: "use the labels that go with these classes")
      }
      indices.append(index)
    }
    return indices
  }

  private func error(row: Int, expected: String, found: String, remedy: String) -> FileError {
    FileError(
      .malformed, path: path, byteOffset: array.byteOffset(of: row * (array.count / values.count)),
      expected: expected, found: "\(found) as label \(row.groupedDigits) (counted from 0)", remedy: remedy)
  }
}
