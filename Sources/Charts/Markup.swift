// The text of SVG and HTML.

extension String {
  /// The text with what markup would take for its own escaped; for content and for quoted attributes.
  ///
  /// Of control characters it is `showable`.
  package var escaped: String {
    var result = ""
    for scalar in showable.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with U+FFFD for each control character, which XML does not allow in any form, and for those that
  /// would turn the direction of what stands beside the text. Line breaks and tabs stay.
  package var showable: String {
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\t": result.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}",
        "\u{FFFE}"..."\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
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
