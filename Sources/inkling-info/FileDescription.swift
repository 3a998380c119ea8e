import Datasets
import Foundation
import PlainText

/// What a file is: facts in the order in which a person wants them, each with a key for programs.
struct FileDescription {
  /// Such as "checkpoint"; a format's version, if it has one, is a fact.
  let kind: String
  private(set) var facts: [Fact] = []
  /// What follows the facts in the text, such as a table of layers.
  var table: String?

  struct Fact {
    /// Nil for what only people want.
    let key: String?
    let value: FactValue
    /// What people read; nil for what only programs want.
    let line: (label: String, text: String)?
  }

  init(kind: String) {
    self.kind = kind
  }

  /// Adds a fact that people read as `text` after `label`, and programs as `value` under `key`.
  mutating func add(_ key: String, _ value: FactValue, _ label: String, _ text: String) {
    facts.append(Fact(key: key, value: value, line: (label, text)))
  }

  /// Adds a fact that is in the words of another line already.
  mutating func add(_ key: String, _ value: FactValue) {
    facts.append(Fact(key: key, value: value, line: nil))
  }

  /// Adds a line that has no key: its facts stand under others.
  mutating func addLine(_ label: String, _ text: String) {
    facts.append(Fact(key: nil, value: .none, line: (label, text)))
  }

  /// Adds lines with as many of the items as four of them hold; what is left out shows as "…".
  mutating func addLines(_ label: String, _ items: some Sequence<String>) {
    var lines = [""]
    var isWhole = true
    for item in items {
      let item = item.cut(to: 40)
      let isFirst = lines[lines.count - 1].isEmpty
      // The widest label, a key of an .ink file, takes 22 columns, and ", …" may follow.
      if isFirst || lines[lines.count - 1].columns + 2 + item.columns <= 54 {
        lines[lines.count - 1] += (isFirst ? "" : ", ") + item
      } else if lines.count < 4 {
        lines[lines.count - 1] += ","
        lines.append(item)
      } else {
        isWhole = false
        break
      }
    }
    if !isWhole { lines[lines.count - 1] += ", …" }
    for (index, line) in lines.enumerated() where !line.isEmpty { addLine(index == 0 ? label : "", line) }
  }

  /// Adds the names of the classes, with the label values that files have for them.
  mutating func addClasses(names: [String], values: [Int]) {
    add("labels", .list(names.map(FactValue.text)))
    add("labelValues", .list(values.map(FactValue.count)))
    addLines(
      "classes",
      zip(names, values).enumerated().lazy.map { index, item in
        (index == 0 ? "\(names.count.groupedDigits): " : "") + Self.named("\(item.1)", item.0)
      })
  }

  /// A label value with the name of its class, unless it is called as its value: "3 = Dress", or "3".
  static func named(_ value: String, _ name: String) -> String {
    name == value ? value : "\(value) = \(name)"
  }

  /// At most 80 columns wide, save for a path that is longer.
  func text(path: String) -> String {
    var lines = TextTable([.left, .left], flexible: 1)
    for line in facts.compactMap(\.line) { lines.add([line.label, line.text]) }
    return ["\(path.singleLine): \(kind)", lines.text, table].compactMap(\.self).joined(separator: "\n\n")
  }

  /// One line of JSON with sorted keys; numbers that JSON has no digits for are "inf", "-inf" and "nan".
  func json(path: String) throws(FileError) -> String {
    var object: [String: FactValue] = [:]
    for fact in facts { if let key = fact.key { object[key] = fact.value } }
    object["file"] = .text(path)
    object["kind"] = .text(kind)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let json = try? encoder.encode(object) else {
      throw FileError(.malformed, path: path, expected: "facts that JSON can hold", found: "others")
    }
    return String(decoding: json, as: UTF8.self)
  }
}

/// A value in JSON.
enum FactValue: Encodable {
  case text(String)
  case count(Int)
  case number(Double)
  case flag(Bool)
  case list([FactValue])
  case object([String: FactValue])
  /// What has a form in JSON of its own.
  case record(any Encodable)
  case none

  func encode(to encoder: any Encoder) throws {
    if case .record(let value) = self { return try value.encode(to: encoder) }
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let value): try container.encode(value)
    case .count(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .flag(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .none, .record: try container.encodeNil()
    }
  }
}
