import PlainText

/// A linear axis with ticks at round numbers: steps of 1, 2 or 5 times a power of ten.
package struct Axis: Hashable, Sendable {
  package let range: ClosedRange<Double>
  package let ticks: [Double]
  /// Decimals that tell neighbouring ticks apart.
  package let decimals: Int
  package let label: String

  /// An axis whose range reaches from tick to tick around `values`; values that are not finite do not count.
  ///
  /// - Parameters:
  ///   - count: about how many steps there should be.
  ///   - smallestStep: no two ticks lie nearer, such as 1 for what is counted.
  package init(_ label: String, around values: [Double], count: Int = 5, smallestStep: Double = 0) {
    let finite = values.filter(\.isFinite)
    let low = finite.min() ?? 0
    let high = finite.max() ?? 1
    // One value alone still needs an axis to stand on.
    let span = max(high - low, abs(high) * 1e-6, 1e-9)
    let step = max(smallestStep, Self.roundStep(span / Double(max(1, count))))
    let first = (low / step).rounded(.down)
    let last = max((high / step).rounded(.up), first + 1)
    self.init(label, range: first * step...last * step, step: step)
  }

  /// An axis over exactly this range, with a tick at each multiple of `step` in it.
  package init(_ label: String, range: ClosedRange<Double>, step: Double) {
    self.label = label
    self.range = range
    // A thousandth of a step forgives what rounding does to multiples.
    let first = Int((range.lowerBound / step - 0.001).rounded(.up))
    let last = Int((range.upperBound / step + 0.001).rounded(.down))
    ticks = (first...max(first, last)).map { Double($0) * step }
    decimals =
      (0..<12).first { decimals in
        let scaled = step * Self.power(decimals)
        return abs(scaled - scaled.rounded()) < 1e-6 * scaled
      } ?? 12
  }

  /// Where `value` lies between the ends, 0 to 1.
  package func position(of value: Double) -> Double {
    (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  package func text(of tick: Double) -> String { tick.fixed(decimals) }

  /// The smallest of 1, 2 and 5 times a power of ten that is not below `step`.
  private static func roundStep(_ step: Double) -> Double {
    var unit = 1.0
    while unit > step { unit /= 10 }
    while unit * 10 <= step { unit *= 10 }
    return [1.0, 2, 5].map { $0 * unit }.first { $0 >= step * 0.999_999 } ?? 10 * unit
  }

  private static func power(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }
}
