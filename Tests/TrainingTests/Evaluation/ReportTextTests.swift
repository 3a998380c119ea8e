import Testing

@testable import Training

struct ReportTextTests {
  @Test(arguments: [
    (0.9912, 10_000, "99.12%"), (0.9912, 9_999, "99.1%"), (0.5, 1, "50.0%"), (0, 10, "0.0%"),
    (1, 10_000, "100.00%"),
    // Only all is 100%, only nothing is 0%.
    (0.9996, 5_000, ">99.9%"), (0.9994, 5_000, "99.9%"), (0.0004, 5_000, "<0.1%"), (0.0006, 5_000, "0.1%"),
    (0.99999, 100_000, ">99.99%"), (0.00001, 100_000, "<0.01%"),
  ])
  func percentages(fraction: Double, images: Int, text: String) {
    #expect(ReportText.percent(fraction, images: images) == text)
  }

  @Test(arguments: [
    (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (60_000, "60,000"), (1_234_567, "1,234,567"),
    (-1_000, "-1,000"), (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func thousands(count: Int, text: String) {
    #expect(ReportText.thousands(count) == text)
  }

  @Test(arguments: [
    ("dog", 3, "dog"), ("zebra", 4, "zeb…"), ("zebra", 1, "…"), ("", 3, ""), ("e\u{301}te", 3, "e\u{301}te"),
    // Kuzushiji take two columns each.
    ("おきす", 6, "おきす"), ("おきす", 5, "おき…"), ("おきす", 4, "お…"),
    ("a\u{1B}[2J", 9, "a?[2J"), ("two\nlines", 9, "two?lines"), ("a\u{202E}b", 9, "a?b"),
  ])
  func cutting(name: String, limit: Int, text: String) {
    #expect(ReportText.cut(name, to: limit) == text)
    #expect(ReportText.width(ReportText.cut(name, to: limit)) <= limit)
  }

  @Test func padding() {
    #expect(ReportText.left("お", 4) == "お  ")
    #expect(ReportText.right("·", 3) == "  ·")
    #expect(ReportText.right("long", 3) == "long")
  }
}
