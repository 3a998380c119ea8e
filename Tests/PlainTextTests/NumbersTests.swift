import PlainText
import Testing

@Suite struct NumbersTests {
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

  @Test func countsNameTheirThing() {
    #expect(1.of("image") == "1 image")
    #expect(0.of("image") == "0 images")
    #expect(60_000.of("image") == "60,000 images")
  }

  @Test(
    arguments: [
      (0, 2, "0.00"), (1234.5, 0, "1,234"), (1235.5, 0, "1,236"), (1234.567, 2, "1,234.57"),
      (-0.05, 1, "0.0"),
      (-0.06, 1, "-0.1"), (0.009, 2, "0.01"), (99.995, 1, "100.0"), (.infinity, 1, "inf"), (.nan, 0, "nan"),
    ] as [(Double, Int, String)])
  func decimalsAreFixed(value: Double, decimals: Int, text: String) {
    #expect(value.fixed(decimals) == text)
  }

  @Test(
    arguments: [
      (1234.4, "1,234"), (123.4, "123"), (99.96, "100"), (12.34, "12.3"), (9.996, "10.0"), (1.234, "1.23"),
      (0.9994, "0.999"), (0.9996, "1.00"), (0.1234, "0.123"), (0.00123, "0.00123"), (0, "0.00"),
      (-1.5, "-1.50"), (0.0001, "0.000100"), (0.00009996, "0.000100"), (0.00001234, "1.23e-5"),
      (-5.90544e-07, "-5.91e-7"), (.leastNonzeroMagnitude, "4.94e-324"),
    ] as [(Double, String)])
  func whatIsMeasuredHasThreeDigits(value: Double, text: String) {
    #expect(value.threeDigits == text)
  }

  @Test(
    arguments: [
      (0.9912, 10_000, "99.12%"), (0.9912, 9_999, "99.1%"), (0.5, 1, "50.0%"), (0, 10, "0.0%"),
      (1, 10_000, "100.00%"),
      // Only all is 100%, only nothing is 0%.
      (0.9996, 5_000, ">99.9%"), (0.9994, 5_000, "99.9%"), (0.0004, 5_000, "<0.1%"), (0.0006, 5_000, "0.1%"),
      (0.99999, 100_000, ">99.99%"), (0.00001, 100_000, "<0.01%"),
    ] as [(Double, Int, String)])
  func percentages(fraction: Double, images: Int, text: String) {
    #expect(fraction.percent(images: images) == text)
  }
}
