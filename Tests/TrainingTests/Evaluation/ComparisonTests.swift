import Datasets
import PlainText
import Testing

@testable import Training

struct ComparisonTests {
  /// Models of two classes that are right on the images whose number is in the set, each with its confidence.
  private func predictions(right: Set<Int>, of count: Int, confidence: Float = 0.75) -> Predictions {
    Predictions(
      probabilities: (0..<count).flatMap {
        right.contains($0) ? [confidence, 1 - confidence] : [1 - confidence, confidence]
      },
      losses: (0..<count).map { _ in 0.1 }, truths: (0..<count).map { _ in 0 }, classCount: 2)
  }

  private let classes = ClassTable(values: [0, 1], names: ["cat", "dog"])

  @Test func imagesAreSortedIntoFourKinds() throws {
    let comparison = try Comparison(
      predictions(right: [0, 1, 2, 3], of: 8), predictions(right: [2, 3, 4], of: 8, confidence: 0.5 + 0.125),
      classes: classes)
    #expect(comparison.first.correct == 4 && comparison.second.correct == 3 && comparison.count == 8)
    #expect(comparison.bothRight == 2 && comparison.bothWrong == 3)
    #expect(comparison.onlyFirst.map(\.image) == [0, 1] && comparison.onlySecond.map(\.image) == [4])
    #expect(comparison.difference == 0.125)
    let found = try #require(comparison.onlyFirst.first)
    #expect(found.truth == 0 && found.mistakenFor == 1)
    #expect(found.probabilityOfTruth == 0.75 && found.probabilityOfMistake == 0.625)
    // One of three falls to the second: 2 (1 + 3) / 8.
    #expect(comparison.pValue == 1)
  }

  /// Two-sided binomial probabilities, worked as sums of binomial coefficients over powers of 2.
  @Test(
    arguments: [
      (0, 0, 1), (5, 5, 1), (0, 1, 1), (0, 5, 0.0625), (2, 8, 0.109375), (8, 2, 0.109375),
      (1, 11, 26.0 / 4096),
    ] as [(Int, Int, Double)])
  func theTestIsExact(a: Int, b: Int, p: Double) {
    // lgamma is good to some 1e-15 of its value, which reaches tens here.
    #expect(abs(Comparison.exactTest(a, b) - p) < 1e-13)
  }

  @Test func theTestSurvivesLargeCounts() {
    // 2^-2000 is below the smallest Double.
    #expect(Comparison.exactTest(0, 2000) == 0)
    // The normal approximation with continuity correction: z = (|b - c| - 1) / √n = 1.99, p = 0.0466.
    #expect(abs(Comparison.exactTest(4_900, 5_100) - 0.0466) < 2e-4)
    #expect(Comparison.exactTest(500_000, 500_000) == 1)
  }

  /// With 10 and 2 of 100: p = 11/102, q = 3/102, d = 8/102; d ± 1.96 √((14/102 - d²)/102).
  @Test func theIntervalIsBonettAndPrices() {
    let interval = PairedInterval(onlyFirst: 10, onlySecond: 2, of: 100)
    // Worked to six digits.
    #expect(abs(interval.low - 0.008164) < 1e-6 && abs(interval.high - 0.148699) < 1e-6)
    let sure = PairedInterval(onlyFirst: 0, onlySecond: 0, of: 1)
    #expect(sure.low >= -1 && sure.high <= 1 && sure.low == -sure.high)
  }

  @Test func theTextSaysWhatItRestsOn() throws {
    let first = predictions(right: Set(0..<90), of: 100)
    let second = predictions(right: Set(10..<80), of: 100)
    let text = try Comparison(first, second, classes: classes).text(names: ("runs/a", "runs/b"), limit: 2)
    #expect(
      text == """
        runs/a
          90.0% (90 of 100), 95% interval 82.6–94.5%

        runs/b
          70.0% (70 of 100), 95% interval 60.4–78.1%

        difference +20.0 points, 95% interval +11.4 to +27.8
        McNemar's exact test p < 0.0001
        right for both 70, only the first 20, only the second 0, neither 10

        only the first gets right, 2 of 20 (images count from 0)
        image 0: cat with 75.0%, the other says dog with 75.0%
        image 1: cat with 75.0%, the other says dog with 75.0%
        """)
  }

  @Test func equalModelsMayDifferByChance() throws {
    let one = predictions(right: [0, 1], of: 4)
    let text = try Comparison(one, one, classes: classes).text(names: ("a", "b"))
    #expect(text.contains("difference 0.0 points") && text.contains("p = 1.0000: may well be chance"))
    // One image of 4,000 is less than the decimals show.
    let more = try Comparison(
      predictions(right: [0, 1], of: 4000), predictions(right: [0], of: 4000), classes: classes)
    #expect(more.text(names: ("a", "b")).contains("difference 0.0 points"))
  }

  @Test func linesFitInEightyColumns() throws {
    let names = [String(repeating: "long name ", count: 9), String(repeating: "おきす", count: 20)]
    let text = try Comparison(
      predictions(right: [0, 1], of: 4), predictions(right: [2, 3], of: 4),
      classes: ClassTable(values: [0, 1], names: names)
    ).text(names: (names[0], names[1]))
    for line in text.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
  }

  @Test func nothingToCompareIsAnError() {
    #expect(throws: EvaluationError.noImages) {
      try Comparison(predictions(right: [], of: 0), predictions(right: [], of: 0), classes: classes)
    }
  }
}
