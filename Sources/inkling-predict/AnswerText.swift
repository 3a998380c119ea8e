import PlainText

/// Answers for people, each on a line.
struct AnswerText {
  private let top: Int
  /// What stands for no class, such as "no digit".
  private let none: String
  /// The columns of the longest name, and of the longest class.
  private let nameColumns: Int
  private let labelColumns: Int

  /// Longer names stick out, longer classes are cut.
  private static let mostColumns = 40

  /// - Parameters:
  ///   - labels: those of the network.
  ///   - top: how many guesses are told.
  ///   - names: the names of all inputs, so that columns stand below each other.
  init(labels: [String], top: Int, names: [String]) {
    self.top = top
    none = Self.none(of: labels)
    nameColumns = Self.columns(names)
    labelColumns = labels.map { $0.cut(to: Self.mostColumns).columns }.max() ?? 0
  }

  private static func columns(_ names: [String]) -> Int {
    names.map { min($0.singleLine.columns, mostColumns) }.max() ?? 0
  }

  private static func none(of labels: [String]) -> String {
    if Set(labels) == Set((0...9).map { "\($0)" }) { return "no digit" }
    let areLetters = labels.allSatisfy { $0.count == 1 && $0.allSatisfy(\.isLetter) }
    return areLetters ? "no letter" : "no known class"
  }

  /// Lines for the answers to one input.
  func lines(_ answers: [Answer]) -> [String] {
    let columns = max(nameColumns, Self.columns(answers.map(\.name)))
    return answers.map { "\($0.name.singleLine.leftAligned(columns))  \(text($0.content))" }
  }

  private func text(_ content: Answer.Content) -> String {
    switch content {
    case .blank: "\(none)  nothing is drawn"
    case .single(let reading): text(reading)
    case .number(let readings): text(readings)
    }
  }

  /// "47  4 99.1%, 7 98.3%".
  private func text(_ readings: [Reading]) -> String {
    guard let number = Answer.Content.number(of: readings) else { return text(.blank) }
    let digits = readings.map {
      "\($0.label?.cut(to: Self.mostColumns) ?? "?") \(Self.percent($0.prediction.probability))"
    }
    return "\(number.cut(to: 4 * Self.mostColumns))  \(digits.joined(separator: ", "))"
  }

  /// "7   98.3%  then 1 1.1%, 9 0.3%".
  private func text(_ reading: Reading) -> String {
    let guesses = reading.prediction.top(top).map {
      "\($0.label.cut(to: Self.mostColumns)) \(Self.percent($0.probability))"
    }
    guard let label = reading.label else { return "\(none)  at best \(guesses.joined(separator: ", "))" }
    let probability = Self.percent(reading.prediction.probability)
    let line = "\(label.cut(to: Self.mostColumns).leftAligned(labelColumns))  \(probability.rightAligned(6))"
    return guesses.count < 2 ? line : "\(line)  then \(guesses.dropFirst().joined(separator: ", "))"
  }

  private static func percent(_ probability: Float) -> String { probability.percent(images: 1) }
}
