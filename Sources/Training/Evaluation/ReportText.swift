import Foundation

/// Numbers and names as a report for people writes them.
enum ReportText {
  /// A fraction as a percentage: two decimals from 10,000 images on, one below.
  ///
  /// With 10,000 images one of them is 0.01%; more decimals than that would pretend to know more.
  /// Only all reads as 100% and only nothing as 0%: what rounds to them becomes ">99.9%" or "<0.1%".
  static func percent(_ fraction: Double, images: Int) -> String {
    let decimals = images >= 10_000 ? 2 : 1
    let step = decimals == 2 ? 0.01 : 0.1
    let percent = fraction * 100
    if percent > 0 && percent < step / 2 { return "<\(fixed(step, decimals))%" }
    if percent < 100 && percent >= 100 - step / 2 { return ">\(fixed(100 - step, decimals))%" }
    return "\(fixed(percent, decimals))%"
  }

  static func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }

  /// 1247 as "1,247".
  static func thousands(_ count: Int) -> String {
    var text = ""
    for (place, digit) in String(count.magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (count < 0 ? "-" : "") + text.reversed()
  }

  /// The columns that `text` takes on a terminal.
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// `text` on one line and not wider than `limit` columns; what is cut off shows as "…".
  static func cut(_ text: String, to limit: Int) -> String {
    let line = String(text.map { isControl($0) ? "?" : $0 })
    if width(line) <= limit { return line }
    var kept = ""
    var used = 1
    for character in line {
      used += width(character)
      if used > limit { break }
      kept.append(character)
    }
    return kept + "…"
  }

  static func left(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  static func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - width(text))) + text
  }

  /// Class names may come from any file; an escape sequence must not reach the terminal.
  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// Two columns for the wide scripts (Unicode TR 11: East Asian wide and fullwidth) and for pictographs.
  private static func width(_ character: Character) -> Int {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
