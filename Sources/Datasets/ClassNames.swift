import Foundation
import PlainText

/// Names for the classes of a data set, and where they come from.
public struct ClassNames: Hashable, Sendable {
  enum Assignment: Hashable, Sendable {
    /// The names in ascending order of the label values, whatever these are.
    case byRank([String])
    /// Names that say which values they belong to, and with that which classes there are.
    case byValue(ClassTable)
    /// Each class is called as its value.
    case values
  }

  let assignment: Assignment
  /// The file, or the words for the list, in messages.
  let origin: String

  static let values = ClassNames(assignment: .values, origin: "")

  init(assignment: Assignment, origin: String) {
    self.assignment = assignment
    self.origin = origin
  }

  /// Names as a program's user gives them: a list like `cat,dog`, or the path of a file if there is no comma.
  public init(argument: String) throws(FileError) {
    if argument.contains(",") {
      try self.init(list: argument)
    } else {
      try self.init(contentsOf: argument)
    }
  }

  /// Names separated by commas, in ascending order of the label values.
  ///
  /// Throws a `FileError` for an empty or repeated name.
  public init(list: String) throws(FileError) {
    let names = list.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    try self.init(names: names, offsets: nil, origin: "the class names \"\(list.prefix(60))\"")
  }

  /// Names from a text file: one a line in ascending order of the label values, or EMNIST's mapping.
  ///
  /// A mapping has lines of numbers: the label value, then one or more Unicode code points, of which the first
  /// is the name. Throws a `FileError` with the byte offset for empty or repeated names and for other content.
  public init(contentsOf path: String) throws(FileError) {
    let lines = try TextLines(contentsOf: path)
    if let first = lines.texts.first, Self.numbers(in: first) != nil {
      try self.init(mapping: lines, path: path)
    } else {
      try self.init(names: lines.texts, offsets: lines.offsets, origin: path)
    }
  }

  /// Whether a file of names, one a line, can hold this one, whichever line it takes.
  static func canHold(_ name: String) -> Bool {
    !name.isEmpty && name == name.trimmingCharacters(in: .whitespacesAndNewlines)
      && !name.unicodeScalars.contains { ["\n", "\0", "\u{FEFF}"].contains($0) } && numbers(in: name) == nil
  }

  private init(names: [String], offsets: [Int]?, origin: String) throws(FileError) {
    try Self.check(names, offsets: offsets, origin: origin)
    self.init(assignment: .byRank(names), origin: origin)
  }

  private init(mapping lines: TextLines, path: String) throws(FileError) {
    var nameOfValue = [Int: String]()
    var names = [String]()
    for (line, offset) in zip(lines.texts, lines.offsets) {
      func error(_ found: String) -> FileError {
        FileError(
          .malformed, path: path, byteOffset: offset, expected: "a label value and a Unicode code point",
          found: found, remedy: "write one line for each class, like \"10 65\" for A")
      }
      guard let numbers = Self.numbers(in: line) else { throw error("\"\(line.prefix(40))\"") }
      guard let scalar = UInt32(exactly: numbers[1]).flatMap(Unicode.Scalar.init) else {
        throw error("\(numbers[1]), which is no code point")
      }
      let name = String(Character(scalar))
      guard nameOfValue.updateValue(name, forKey: numbers[0]) == nil else {
        throw error("label \(numbers[0]) a second time")
      }
      names.append(name)
    }
    try Self.check(names, offsets: lines.offsets, origin: path)
    let sorted = nameOfValue.sorted { $0.key < $1.key }
    let table = ClassTable(values: sorted.map(\.key), names: sorted.map(\.value))
    self.init(assignment: .byValue(table), origin: path)
  }

  /// The numbers of a mapping's line, nil if it is none.
  private static func numbers(in line: String) -> [Int]? {
    let parts = line.split(whereSeparator: \.isWhitespace)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count && numbers.count >= 2 ? numbers : nil
  }

  private static func check(_ names: [String], offsets: [Int]?, origin: String) throws(FileError) {
    guard (1...ClassTable.largestCount).contains(names.count) else {
      throw FileError(
        .malformed, path: origin, expected: "1 to \(ClassTable.largestCount.groupedDigits) class names",
        found: "\(names.count.groupedDigits)", remedy: "write one name for each class")
    }
    var seen = Set<String>()
    for (index, name) in names.enumerated() where name.isEmpty || !seen.insert(name).inserted {
      throw FileError(
        .malformed, path: origin, byteOffset: offsets?[index],
        expected: "a different name for each class",
        found: name.isEmpty ? "an empty name (number \(index + 1))" : "\"\(name)\" a second time",
        remedy: "write one name for each class")
    }
  }

  /// The classes of these label values.
  ///
  /// Throws a `FileError` if there is not one name for each.
  package func table(of values: [Int], labelsPath: String) throws(FileError) -> ClassTable {
    switch assignment {
    case .values: return ClassTable(values: values)
    case .byValue(let table): return table
    case .byRank(let names):
      guard names.count == values.count else {
        let shown = values.prefix(10).map(String.init).joined(separator: ", ")
        throw FileError(
          .malformed, path: origin,
          expected: "\(values.count.groupedDigits) names, one for each class in \(labelsPath) "
            + "(\(shown)\(values.count > 10 ? ", …" : ""))",
          found: "\(names.count.groupedDigits)", remedy: "name every class, in the order of the label values")
      }
      return ClassTable(values: values, names: names)
    }
  }
}
