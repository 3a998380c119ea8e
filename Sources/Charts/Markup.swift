// The text of SVG and HTML.

extension String {
  /// The text with what markup would take for its own escaped; for content and for quoted attributes.
  ///
  /// Control characters, which XML does not allow in any form, become U+FFFD.
  package var escaped: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}"..."\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Double {
  /// A coordinate: a tenth of a pixel is as fine as anyone sees.
  package var coordinate: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
