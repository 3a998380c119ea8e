import Datasets
import Foundation

/// An evaluation for programs: fractions, class labels by name, images counted from 0.
///
/// What is undefined is null, never a missing key.
public struct EvaluationJSON: Hashable, Sendable, Codable {
  public var count: Int
  public var correct: Int
  public var accuracy: Double
  /// The 95% Wilson score interval.
  public var accuracyLow: Double
  public var accuracyHigh: Double
  public var topK: [TopK]
  /// Mean cross-entropy in nats.
  public var loss: Double
  public var macroF1: Double
  public var expectedCalibrationError: Double
  public var calibrationBins: [CalibrationBin]
  public var perClass: [ClassEntry]
  /// Rows are the truth, columns the prediction, both in the order of `perClass`.
  public var confusionMatrix: [[Int]]
  public var mistakes: [Mistake]

  public struct TopK: Hashable, Sendable, Codable {
    public var k: Int
    public var accuracy: Double
  }

  public struct CalibrationBin: Hashable, Sendable, Codable {
    public var low: Double
    public var high: Double
    public var count: Int
    @Nullable public var meanConfidence: Double?
    @Nullable public var accuracy: Double?
  }

  public struct ClassEntry: Hashable, Sendable, Codable {
    public var label: String
    @Nullable public var precision: Double?
    @Nullable public var recall: Double?
    @Nullable public var f1: Double?
    public var support: Int
  }

  public struct Mistake: Hashable, Sendable, Codable {
    public var image: Int
    public var truth: String
    public var prediction: String
    public var probability: Float
    public var probabilityOfTruth: Float
  }

  public init(_ evaluation: Evaluation) {
    let names = evaluation.classes.names
    count = evaluation.count
    correct = evaluation.correct
    accuracy = evaluation.accuracy
    accuracyLow = evaluation.accuracyInterval.low
    accuracyHigh = evaluation.accuracyInterval.high
    topK = evaluation.topK.map { TopK(k: $0.k, accuracy: $0.accuracy) }
    loss = evaluation.loss
    macroF1 = evaluation.macroF1
    expectedCalibrationError = evaluation.calibration.expectedError
    calibrationBins = evaluation.calibration.bins.map {
      CalibrationBin(
        low: $0.low, high: $0.high, count: $0.count, meanConfidence: $0.meanConfidence,
        accuracy: $0.accuracy)
    }
    perClass = zip(names, evaluation.classScores).map { name, scores in
      ClassEntry(
        label: name, precision: scores.precision, recall: scores.recall, f1: scores.f1,
        support: scores.support)
    }
    confusionMatrix = evaluation.confusion.rows
    mistakes = evaluation.mistakes.map {
      Mistake(
        image: $0.image, truth: names[$0.truth], prediction: names[$0.prediction],
        probability: $0.probability, probabilityOfTruth: $0.probabilityOfTruth)
    }
  }

  /// One line of JSON with sorted keys: the same bytes for the same evaluation.
  public func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// A number that is written as null where it is nil; without this `Codable` leaves the key out.
  @propertyWrapper
  public struct Nullable: Hashable, Sendable, Codable {
    public var wrappedValue: Double?

    public init(wrappedValue: Double?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Double?.self)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }
}
