// Text in the columns of a terminal.

extension String {
  /// The columns that the text takes on a terminal.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text on one line and not wider than `limit` columns; what is cut off shows as "…".
  ///
  /// Class names may come from any file: an escape sequence must not reach the terminal, so its characters
  /// become question marks.
  package func cut(to limit: Int) -> String {
    let line = String(map { $0.isControl ? "?" : $0 })
    if line.columns <= limit { return line }
    var kept = ""
    var used = 1
    for character in line {
      used += character.columns
      if used > limit { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text with spaces after it, up to so many columns.
  package func leftAligned(_ columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - self.columns))
  }

  /// The text with spaces before it, up to so many columns.
  package func rightAligned(_ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - self.columns)) + self
  }
}

extension Character {
  fileprivate var isControl: Bool {
    unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// Two columns for the wide scripts (Unicode TR 11: East Asian wide and fullwidth) and for pictographs.
  fileprivate var columns: Int {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
