import Testing

@testable import PlainText

@Suite struct SingleLineTests {
  @Test(arguments: [
    ("plain ü 日本", "plain ü 日本"), ("a\nb", "a b"), ("a\r\nb", "a  b"), ("a\tb", "a b"),
    ("\u{1B}[31m", " [31m"),
    ("a\u{2028}b\u{2029}c", "a b c"), ("", ""),
  ])
  func controlCharactersBecomeSpaces(text: String, line: String) {
    #expect(text.singleLine == line)
  }

  @Test func quotesCutLongText() {
    #expect("ten".quoted == "'ten'")
    let long = String(repeating: "x", count: 60)
    #expect(long.quoted == "'\(long)'")
    #expect((long + "y").quoted == "'\(long)…'")
  }
}
