/// Names, numbers and strings as C writes them.
enum CText {
  /// Lines are no longer than this.
  static let lineLength = 99

  /// A name as the beginning of C identifiers: letters, digits and single underscores, a letter first.
  ///
  /// No identifier is such a beginning alone, but a keyword or the name of a type is avoided all the same: INT_WIDTH is
  /// a constant of C's own.
  static func identifier(_ name: String) -> String {
    let words = name.unicodeScalars.split { !isWordCharacter($0) }.map(String.init)
    let identifier = words.joined(separator: "_")
    let isTaken = reserved.contains(identifier.lowercased())
    return identifier.first?.isLetter ?? false && !isTaken
      ? identifier : (["network"] + words).joined(separator: "_")
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
  }

  /// Keywords of C, and types of its library of which there are constants.
  private static let reserved: Set<String> = {
    let keywords = """
      alignas alignof auto bool break case char const constexpr continue default do double else enum extern false
      float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert
      struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
      """
    let types = "schar uchar ushrt uint llong ulong ullong ptrdiff sig_atomic size ssize wchar wint"
    let sizes = ["8", "16", "32", "64", "ptr", "max"]
    let integers = ["int", "uint"].flatMap { type in
      sizes.flatMap { ["\(type)\($0)", "\(type)_least\($0)", "\(type)_fast\($0)"] }
    }
    return Set((keywords + " " + types).split { $0.isWhitespace }.map(String.init) + integers)
  }()

  /// A float, exactly.
  static func number(_ value: Float) -> String {
    let sign = value.sign == .minus ? "-" : ""
    guard value.isFinite else { return value.isNaN ? "0.0f / 0.0f" : "\(sign)1.0f / 0.0f" }
    if value == 0 { return "\(sign)0.0f" }
    // 23 bits of fraction are 6 hexadecimal digits less one bit.
    var (fraction, digits) = (value.bitPattern << 1 & 0xFF_FFFF, 6)
    while digits > 0, fraction & 0xF == 0 { (fraction, digits) = (fraction >> 4, digits - 1) }
    let text = String(fraction, radix: 16)
    let point = digits > 0 ? "." + String(repeating: "0", count: digits - text.count) + text : ""
    let isNormal = value.magnitude >= .leastNormalMagnitude
    let exponent = isNormal ? Int(value.exponentBitPattern) - 127 : -126
    return "\(sign)0x\(isNormal ? 1 : 0)\(point)p\(exponent)f"
  }

  /// A string, its UTF-8 in octal where it is not plain ASCII; lines after the first have the indentation.
  static func string(_ text: String, indentation: Int) -> String {
    var lines = [""]
    for byte in text.utf8 {
      // Three octal digits end an escape, whatever follows. A question mark could begin a trigraph.
      let isPlain = (0x20..<0x7F).contains(byte) && !#""\?"#.utf8.contains(byte)
      let octal = String(byte, radix: 8)
      let piece =
        isPlain
        ? String(UnicodeScalar(byte)) : #"\"# + String(repeating: "0", count: 3 - octal.count) + octal
      // Room for the quotes and a comma.
      if indentation + lines[lines.count - 1].utf8.count + piece.utf8.count + 3 > lineLength {
        lines.append("")
      }
      lines[lines.count - 1] += piece
    }
    return lines.map { "\"\($0)\"" }.joined(separator: "\n" + String(repeating: " ", count: indentation))
  }

  /// The definition of an array of constants.
  static func array(_ type: String, _ name: String, _ elements: some Collection<String>) -> String {
    var text = "static const \(type) \(name)[\(elements.count)] = {\n "
    var column = 1
    for element in elements {
      if column + 1 + element.utf8.count + 1 > lineLength {
        text += "\n "
        column = 1
      }
      text += " \(element),"
      column += element.utf8.count + 2
    }
    return text + "\n};"
  }
}
