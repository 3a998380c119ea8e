extension String {
  /// The text with a space for each control character and line break, so that it neither spans lines nor
  /// steers the terminal.
  package var singleLine: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// The text in quotes for an error, cut where it would fill the line.
  package var quoted: String {
    let limit = 60
    let shown = prefix(limit)
    return "'\(String(shown).singleLine)\(shown.endIndex == endIndex ? "" : "…")'"
  }
}
