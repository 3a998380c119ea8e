import Arguments
import Testing

@Suite struct GroupedDigitsTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1, "-1"), (-999, "-999"),
    (-1000, "-1,000"), (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func thousandsAreSeparated(number: Int, text: String) {
    #expect(number.groupedDigits == text)
  }

  @Test func otherIntegersServeToo() {
    #expect(UInt64.max.groupedDigits == "18,446,744,073,709,551,615")
    #expect(UInt8(255).groupedDigits == "255")
  }
}
