/// The few colours of a report: always beside words that say the same, and only where a terminal takes them.
package enum TextColor: String, Sendable {
  // ANSI's numbers (ECMA-48, "select graphic rendition").
  case bold = "1"
  case red = "31"
  case green = "32"
}

extension String {
  /// The text in a colour, if there are to be any. It then no longer tells its `columns`.
  package func colored(_ color: TextColor, if allowed: Bool) -> String {
    allowed && !isEmpty ? "\u{1B}[\(color.rawValue)m\(self)\u{1B}[0m" : self
  }
}
