import Datasets
import Testing

@testable import Training

struct EvaluationTests {
  /// Six images of four classes: owls are never predicted, foxes neither present nor predicted.
  static func animals(mistakes: Int = 10) throws -> Evaluation {
    try Evaluation(
      probabilities: [
        0.7, 0.1, 0.1, 0.1,  // a cat, right
        0.2, 0.6, 0.1, 0.1,  // a cat for a dog
        0.1, 0.8, 0.1, 0.0,  // a dog, right
        0.4, 0.4, 0.1, 0.1,  // a dog, a tie with cat
        0.1, 0.5, 0.3, 0.1,  // an owl for a dog
        0.6, 0.2, 0.1, 0.1,  // an owl for a cat; fox ties with owl for the third place
      ],
      truth: [0, 0, 1, 1, 2, 2], losses: [0.25, 1.5, 0.25, 1, 1, 2],
      classes: ClassTable(values: [0, 1, 2, 3], names: ["cat", "dog", "owl", "fox"]), mistakes: mistakes)
  }

  /// Every number worked by hand.
  @Test func animalsAreScoredAsByHand() throws {
    let result = try Self.animals()
    #expect(result.count == 6)
    #expect(result.correct == 2)
    #expect(result.accuracy == 2.0 / 6)
    #expect(result.accuracyInterval == WilsonInterval(successes: 2, of: 6))
    #expect(result.topK.map(\.k) == [1, 2, 3])
    let topK = [2.0 / 6, 5.0 / 6, 5.0 / 6]
    #expect(result.topK.map(\.accuracy) == topK)
    #expect(result.loss == 1)
    #expect(result.confusion.rows == [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]])
    let precision: [Double?] = [1.0 / 3, 1.0 / 3, nil, nil]
    #expect(result.classScores.map(\.precision) == precision)
    #expect(result.classScores.map(\.recall) == [0.5, 0.5, 0, nil])
    #expect(result.classScores.map(\.f1) == [0.4, 0.4, 0, nil])
    #expect(result.macroF1 == 0.8 / 3)
    // Gaps 0.3, 2 × 0.6, 0.2, 0.4 and 0.5; Float confidences are within 3e-8 of these.
    #expect(abs(result.calibration.expectedError - 2.6 / 6) < 1e-7)
  }

  @Test func mistakesAreSortedByConfidenceThenImage() throws {
    let mistakes = try Self.animals().mistakes
    #expect(mistakes.map(\.image) == [1, 5, 4, 3])
    #expect(mistakes.map(\.truth) == [0, 2, 2, 1])
    #expect(mistakes.map(\.prediction) == [1, 0, 1, 0])
    #expect(mistakes.map(\.probability) == [0.6, 0.6, 0.5, 0.4])
    #expect(mistakes.map(\.probabilityOfTruth) == [0.2, 0.1, 0.3, 0.4])
    #expect(try Self.animals(mistakes: 2).mistakes.map(\.image) == [1, 5])
    #expect(try Self.animals(mistakes: 0).mistakes.isEmpty)
    #expect(try Self.animals(mistakes: -1).mistakes.isEmpty)
  }

  @Test(arguments: [
    (1, []), (2, [1]), (3, [1, 2]), (5, [1, 2, 3]), (6, [1, 2, 3, 5]), (62, [1, 2, 3, 5]),
  ])
  func topKStaysBelowTheClassCount(classes: Int, ks: [Int]) throws {
    let row = [1] + Array(repeating: Float(0), count: classes - 1)
    let result = try Evaluation(
      probabilities: row, truth: [0], losses: [0], classes: ClassTable(values: Array(0..<classes)))
    #expect(result.topK.map(\.k) == ks)
    #expect(result.topK.allSatisfy { $0.accuracy == 1 })
    #expect(result.accuracy == 1)
    #expect(result.macroF1 == 1)
    #expect(result.calibration.expectedError == 0)
    #expect(result.mistakes.isEmpty)
  }

  /// Without the rule for ties a network stuck at one output would look as good as the share of class 0.
  @Test func equalProbabilitiesScoreNothing() throws {
    let result = try Evaluation(
      probabilities: [0.5, 0.5, 0.5, 0.5], truth: [0, 1], losses: [1, 1], classes: ClassTable(values: [3, 7]))
    #expect(result.correct == 0)
    #expect(result.confusion.rows == [[0, 1], [1, 0]])
    #expect(result.accuracyInterval.low == 0)
  }

  @Test(
    arguments: [
      ([], [], EvaluationError.noImages, "no images to evaluate"),
      (
        [0.5, 0.5, 0.5, .nan], [1, 1], .notAProbability(image: 1, value: .nan),
        "image 1: expected probabilities from 0 to 1, found nan; the model's weights are"
      ),
      ([0.5, 0.5, -3, 4], [1, 1], .notAProbability(image: 1, value: -3), "image 1: "),
      ([0.5, 0.5, 0, 1.01], [1, 1], .notAProbability(image: 1, value: 1.01), "image 1: "),
      ([0.5, 0.5, 0, 1], [.infinity, 1], .notALoss(image: 0, value: .infinity), "image 0: "),
      ([0.5, 0.5, 0, 1], [1, .nan], .notALoss(image: 1, value: .nan), "image 1: "),
    ] as [([Float], [Float], EvaluationError, String)])
  func badPredictionsAreNamed(
    probabilities: [Float], losses: [Float], expected: EvaluationError, message: String
  ) {
    let error = #expect(throws: EvaluationError.self) {
      try Evaluation(
        probabilities: probabilities, truth: losses.map { _ in 0 }, losses: losses,
        classes: ClassTable(values: [0, 1]))
    }
    // NaN differs from itself, so the errors are compared as text.
    #expect(error?.description == expected.description)
    #expect(expected.description.hasPrefix(message))
  }
}
