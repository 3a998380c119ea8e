import PlainText

extension ClassTable {
  /// The most classes that labels of a byte can tell apart: 255 stands for "no label".
  package static let largestPackedCount = 255

  /// The classes of these names: in the order of numbers if all are numbers, else in that of their characters.
  ///
  /// Whole numbers below 255 are label values themselves, so that a 7 is the 7 of other data sets too, whichever digits are
  /// there. Throws a `FileError` for more classes than bytes can tell apart.
  ///
  /// - Parameter origin: where they come from, for the message.
  init(names: Set<String>, origin: String) throws(FileError) {
    guard names.count <= Self.largestPackedCount else {
      throw FileError(
        .malformed, path: origin,
        expected: "at most \(Self.largestPackedCount) classes, since labels are bytes",
        found: names.count.groupedDigits, remedy: "join some of them, or leave some out")
    }
    let values = names.compactMap { name in
      Int(name).flatMap { (0..<Self.largestPackedCount).contains($0) && "\($0)" == name ? $0 : nil }
    }
    if values.count == names.count {
      self.init(values: values.sorted())
      return
    }
    let numbers = names.compactMap { Double($0) }
    let sorted =
      numbers.count == names.count && numbers.allSatisfy(\.isFinite)
      ? names.sorted { (Double($0) ?? 0, $0) < (Double($1) ?? 0, $1) } : names.sorted()
    self.init(values: Array(0..<sorted.count), names: sorted)
  }

  /// Whether each class is called as its value, so that no file has to name it.
  var isNamedByValues: Bool { names == values.map(String.init) }
}
