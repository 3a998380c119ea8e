import Testing

@testable import PlainText

@Suite struct NearestTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abd", 1), ("abc", "ab", 1),
    ("abc", "acb", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
  ])
  func editsAreCounted(first: String, second: String, edits: Int) {
    #expect(editDistance(Array(first), Array(second)) == edits)
  }

  @Test(
    arguments: [
      ("epoch", "epochs"), ("EPOCHS", "epochs"), ("see", "seed"), ("lerning_rate", "learning-rate"),
      ("learn", "learning-rate"), ("sede", "seed"), ("sde", nil), ("xyz", nil), ("s", nil), ("", nil),
      (String(repeating: "e", count: 100_000), nil),
    ] as [(String, String?)])
  func onlyASlipHasANearestName(text: String, name: String?) {
    #expect(nearest(to: text, among: ["epochs", "seed", "learning-rate"]) == name)
  }

  @Test func theFewestEditsWin() {
    #expect(nearest(to: "tain", among: ["tail", "train", "tains"]) == "tail")
    #expect(nearest(to: "trainn", among: ["tail", "train"]) == "train")
    #expect(nearest(to: "any", among: []) == nil)
  }
}
