import Foundation

/// Answers for programs: {"predictions": [{"file": "seven.png", "label": "7", "probability": 0.98, "guesses": […]}]}.
struct AnswerJSON: Encodable {
  private let predictions: [Item]

  /// - Parameter top: how many guesses are told.
  init(_ answers: [Answer], top: Int) {
    predictions = answers.map { Item(answer: $0, top: top) }
  }

  func encoded() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  private enum Key: String, CodingKey {
    case file, place, label, probability, guesses, number, digits
  }

  private struct Guess: Encodable {
    let label: String
    let probability: Float
  }

  /// An answer: its label is null where there is none, its probability that of the best guess.
  private struct Item: Encodable {
    let answer: Answer
    let top: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(answer.file, forKey: .file)
      if let place = answer.place { try container.encode(place, forKey: .place) }
      switch answer.content {
      case .blank: try Digit(reading: nil, top: top).encode(to: encoder)
      case .single(let reading): try Digit(reading: reading, top: top).encode(to: encoder)
      case .number(let readings):
        try container.encode(Answer.Content.number(of: readings), forKey: .number)
        try container.encode(readings.map { Digit(reading: $0, top: top) }, forKey: .digits)
      }
    }
  }

  private struct Digit: Encodable {
    /// Nil where there is no ink.
    let reading: Reading?
    let top: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      let guesses = reading?.prediction.top(top).map { Guess(label: $0.label, probability: $0.probability) }
      // Nil becomes null, which a missing key would not be.
      try container.encode(reading?.label, forKey: .label)
      try container.encode(reading?.prediction.probability, forKey: .probability)
      try container.encode(guesses ?? [], forKey: .guesses)
    }
  }
}
