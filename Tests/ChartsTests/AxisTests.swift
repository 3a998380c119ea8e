import Testing

@testable import Charts

struct AxisTests {
  @Test(
    arguments: [
      ([0, 0.47], [0, 0.1, 0.2, 0.3, 0.4, 0.5]), ([87, 99.3], [85, 90, 95, 100]), ([0, 3], [0, 1, 2, 3]),
      ([-4, 4], [-4, -2, 0, 2, 4]), ([0, 0.003], [0, 0.001, 0.002, 0.003]),
      ([1000, 61000], [0, 20000, 40000, 60000, 80000]),
    ] as [([Double], [Double])])
  func ticksAreRoundAndReachAroundTheValues(values: [Double], ticks: [Double]) {
    let axis = Axis("", around: values)
    #expect(axis.ticks.count == ticks.count)
    // Ticks are multiples of a step that has no exact binary form.
    for (tick, expected) in zip(axis.ticks, ticks) {
      #expect(abs(tick - expected) < 1e-9 * max(1, abs(expected)))
    }
    #expect(axis.range.lowerBound <= values.min() ?? 0 && axis.range.upperBound >= values.max() ?? 0)
  }

  @Test(arguments: [[], [5], [0, 0], [.nan, 3], [.infinity, 1], [-1e300, 1e300], [1e-300]] as [[Double]])
  func anyValuesMakeAnAxis(values: [Double]) {
    let axis = Axis("", around: values)
    #expect((2...30).contains(axis.ticks.count))
    #expect(axis.range.lowerBound < axis.range.upperBound)
    #expect(axis.position(of: axis.range.upperBound) == 1)
  }

  @Test func epochsHaveWholeTicks() {
    #expect(Axis("epoch", around: [0, 2], count: 10, smallestStep: 1).ticks == [0, 1, 2])
    #expect(
      Axis("epoch", around: [0, 37], count: 10, smallestStep: 1).ticks == [0, 5, 10, 15, 20, 25, 30, 35, 40])
  }

  @Test func decimalsTellTicksApart() {
    #expect(Axis("", around: [0, 0.002]).text(of: 0.0015) == "0.0015")
    #expect(Axis("", range: 0...100, step: 20).text(of: 40) == "40")
    #expect(Axis("", around: [0, 61000]).text(of: 20000) == "20,000")
  }
}
