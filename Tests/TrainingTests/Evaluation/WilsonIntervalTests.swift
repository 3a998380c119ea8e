import Testing

@testable import Training

struct WilsonIntervalTests {
  /// The first four are printed to four places in R. G. Newcombe, "Two-sided confidence intervals for the
  /// single proportion", Statistics in Medicine 17 (1998), table I, method 3; the others are
  /// `scipy.stats.binomtest(k, n).proportion_ci(0.95, "wilson")`. Half a unit of the fourth place is allowed.
  @Test(arguments: [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
    (9912, 10_000, 0.98917, 0.99285), (10, 10, 0.72247, 1), (0, 10, 0, 0.27753), (1, 2, 0.09453, 0.90547),
  ])
  func agreesWithPublishedValues(successes: Int, count: Int, low: Double, high: Double) {
    let interval = WilsonInterval(successes: successes, of: count)
    #expect(abs(interval.low - low) <= 5e-5)
    #expect(abs(interval.high - high) <= 5e-5)
  }

  @Test(arguments: 1...300)
  func isExactAtTheEnds(count: Int) {
    #expect(WilsonInterval(successes: count, of: count).high == 1)
    #expect(WilsonInterval(successes: 0, of: count).low == 0)
  }
}
