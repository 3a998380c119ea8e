import PlainText
import Testing

struct TextColorTests {
  @Test func onlyWhereAllowed() {
    #expect("best".colored(.green, if: true) == "\u{1B}[32mbest\u{1B}[0m")
    #expect("best".colored(.green, if: false) == "best")
    #expect("".colored(.red, if: true) == "")
  }
}
