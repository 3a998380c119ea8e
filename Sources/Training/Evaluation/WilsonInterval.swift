/// The 95% score interval of a proportion: the true rates that the observed one does not contradict.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927):
/// `(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`. Unlike `p ± z √(p(1-p)/n)` it stays within
/// 0 and 1 and does not shrink to a point when all or none of the images are right.
public struct WilsonInterval: Hashable, Sendable {
  /// Fractions, `0 <= low <= high <= 1`.
  public let low: Double
  public let high: Double

  /// The 0.975 quantile of the standard normal distribution, for 95% in the middle.
  public static let z = 1.959964

  /// The interval for `successes` among `count` trials, `count > 0`.
  public init(successes: Int, of count: Int) {
    precondition(count > 0 && (0...count).contains(successes))
    let n = Double(count)
    let p = Double(successes) / n
    let z2 = Self.z * Self.z
    let centre = p + z2 / (2 * n)
    let halfWidth = Self.z * (p * (1 - p) / n + z2 / (4 * n * n)).squareRoot()
    let scale = 1 + z2 / n
    // At the ends the formula gives 0 and 1; rounding would leave them an ulp off.
    low = successes == 0 ? 0 : (centre - halfWidth) / scale
    high = successes == count ? 1 : (centre + halfWidth) / scale
  }
}
