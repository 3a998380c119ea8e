extension Command {
  /// What `--help` prints: lines of at most 80 columns, save for words and examples that are longer.
  public var helpText: String {
    var lines = wrap(summary, columns: Self.columns) + ["", usageLine]
    if operands.count.upperBound > 0 {
      lines += ["", "Operands:"] + Self.entry(operands.placeholder, operands.help)
    }
    for section in sections {
      lines += ["", "\(section.title):"]
      for option in section.options { lines += Self.entry(option) }
    }
    if !examples.isEmpty {
      lines += ["", examples.count == 1 ? "Example:" : "Examples:"] + examples.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static let columns = 80
  /// Where the explanations start; a longer name has its own line.
  private static let indent = 26

  private var usageLine: String {
    let required = sections.flatMap(\.options).filter(\.isRequired).map(Self.signature)
    var words = ["Usage: \(name)"] + required + ["[options]"]
    if operands.count.upperBound > 0 {
      let repeated = operands.placeholder + (operands.count.upperBound == Int.max ? " ..." : "")
      words.append(operands.count.lowerBound == 0 ? "[\(repeated)]" : repeated)
    }
    return words.joined(separator: " ")
  }

  private static func signature(_ option: any CommandOption) -> String {
    "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
  }

  static func entry(_ option: any CommandOption) -> [String] {
    let short = option.name == help.name ? "-h, " : ""
    let note = option.note.map { " (\($0))" } ?? ""
    return entry(short + signature(option), option.help + note)
  }

  /// Lines with a name and what it means.
  static func entry(_ head: String, _ explanation: String) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines = wrap(explanation, columns: columns - indent).map { margin + $0 }
    let start = "  \(head)"
    // Two spaces at least stand between the name and what it means.
    if let first = lines.first, start.count + 2 <= indent {
      lines[0] = start + first.dropFirst(start.count)
    } else {
      lines.insert(start, at: 0)
    }
    return lines
  }
}

/// The words of the text in lines of at most so many columns; a longer word stays whole.
func wrap(_ text: String, columns: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(whereSeparator: \.isWhitespace) {
    if let line = lines.last, line.count + 1 + word.count <= columns {
      lines[lines.count - 1] = "\(line) \(word)"
    } else {
      lines.append(String(word))
    }
  }
  return lines
}
