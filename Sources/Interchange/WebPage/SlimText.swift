/// Style sheets and scripts without what only people need. It looks at lines alone, so that it cannot change what they
/// mean: comments stand on lines of their own in these files, and no string goes over several lines.
enum SlimText {
  /// Without indentation, comments, empty lines, and line ends where none is needed.
  static func script(_ text: String) -> String {
    var slim = ""
    var isComment = false
    for line in text.split(separator: "\n") {
      let line = trimmed(line)
      if line.hasPrefix("/*") { isComment = true }
      if !isComment, !line.isEmpty, !line.hasPrefix("//") {
        slim += line
        if let last = line.last, !"{;,(".contains(last) { slim += "\n" }
      }
      if line.hasSuffix("*/") { isComment = false }
    }
    return slim
  }

  /// Also without the spaces that only make it readable.
  static func style(_ text: String) -> String {
    var slim = script(text)
    for (spaced, tight) in [
      ("; ", ";"), (": ", ":"), (", ", ","), ("{ ", "{"), (" {", "{"), (" }", "}"), (";}", "}"), ("}\n", "}"),
    ] {
      slim = slim.replacing(spaced, with: tight)
    }
    return slim
  }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop { $0 == " " }
    while line.last == " " { line.removeLast() }
    return line
  }
}
