import PlainText
import Testing

struct ColumnsTests {
  @Test(arguments: [
    ("dog", 3, "dog"), ("zebra", 4, "zeb…"), ("zebra", 1, "…"), ("", 3, ""), ("e\u{301}te", 3, "e\u{301}te"),
    // Kuzushiji take two columns each.
    ("おきす", 6, "おきす"), ("おきす", 5, "おき…"), ("おきす", 4, "お…"),
    ("a\u{1B}[2J", 9, "a?[2J"), ("two\nlines", 9, "two?lines"), ("a\u{202E}b", 9, "a?b"),
  ])
  func cutting(name: String, limit: Int, text: String) {
    #expect(name.cut(to: limit) == text)
    #expect(name.cut(to: limit).columns <= limit)
  }

  @Test func padding() {
    #expect("お".leftAligned(4) == "お  ")
    #expect("·".rightAligned(3) == "  ·")
    #expect("long".rightAligned(3) == "long")
  }
}
