import Foundation

/// A comparison for programs: fractions, class labels by name, images counted from 0.
public struct ComparisonJSON: Hashable, Sendable, Codable {
  public var count: Int
  public var first: Side
  public var second: Side
  /// Accuracy of the first less that of the second, with its 95% interval.
  public var difference: Double
  public var differenceLow: Double
  public var differenceHigh: Double
  /// Of McNemar's exact test, two-sided.
  public var pValue: Double
  public var bothRight: Int
  public var bothWrong: Int
  public var onlyFirst: [Disagreement]
  public var onlySecond: [Disagreement]

  public struct Side: Hashable, Sendable, Codable {
    public var model: String
    public var correct: Int
    public var accuracy: Double
    /// The 95% Wilson score interval.
    public var accuracyLow: Double
    public var accuracyHigh: Double
  }

  public struct Disagreement: Hashable, Sendable, Codable {
    public var image: Int
    public var truth: String
    public var mistakenFor: String
    public var probabilityOfMistake: Float
    public var probabilityOfTruth: Float
  }

  /// All images that only one model gets right, whatever their number.
  public init(_ comparison: Comparison, names: (first: String, second: String)) {
    let labels = comparison.classes.names
    func side(_ side: Comparison.Side, _ model: String) -> Side {
      Side(
        model: model, correct: side.correct, accuracy: side.accuracy, accuracyLow: side.interval.low,
        accuracyHigh: side.interval.high)
    }
    func list(_ found: [Comparison.Disagreement]) -> [Disagreement] {
      found.map {
        Disagreement(
          image: $0.image, truth: labels[$0.truth], mistakenFor: labels[$0.mistakenFor],
          probabilityOfMistake: $0.probabilityOfMistake, probabilityOfTruth: $0.probabilityOfTruth)
      }
    }
    count = comparison.count
    first = side(comparison.first, names.first)
    second = side(comparison.second, names.second)
    difference = comparison.difference
    differenceLow = comparison.differenceInterval.low
    differenceHigh = comparison.differenceInterval.high
    pValue = comparison.pValue
    bothRight = comparison.bothRight
    bothWrong = comparison.bothWrong
    onlyFirst = list(comparison.onlyFirst)
    onlySecond = list(comparison.onlySecond)
  }

  /// One line of JSON with sorted keys: the same bytes for the same comparison.
  public func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
