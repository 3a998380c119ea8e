import Datasets
import PlainText
import Testing

@testable import Training

struct EvaluationTextTests {
  /// Predictions of a digit classifier: each class right but for the given mistakes (truth, prediction, confidence).
  private func digits(
    perClass: Int, mistakes: [(Int, Int, Float)], names: [String] = (0..<10).map(String.init), limit: Int = 10
  ) throws -> Evaluation {
    let width = names.count
    var probabilities: [Float] = []
    var truth: [UInt16] = []
    var wrong = Dictionary(grouping: mistakes, by: \.0)
    for image in 0..<perClass * width {
      let label = image % width
      var row = Array(repeating: Float(0), count: width)
      if let (_, taken, confidence) = wrong[label]?.popLast() {
        row[taken] = confidence
        row[label] = 1 - confidence
      } else {
        row[label] = 1
      }
      probabilities += row
      truth.append(UInt16(label))
    }
    return try Evaluation(
      probabilities: probabilities, truth: truth, losses: truth.map { _ in 0.0281 },
      classes: ClassTable(values: Array(0..<width), names: names), mistakes: limit)
  }

  @Test func smallReport() throws {
    let text = try EvaluationTests.animals(mistakes: 2).text
    #expect(
      text == """
        accuracy 33.3% (2 of 6), 95% interval 9.7–70.0%
        top 2 83.3%, top 3 83.3%
        macro F1 26.7% (mean of the classes' F1)
        loss 1.0000 (mean cross-entropy in nats)
        expected calibration error 43.3% (15 equal bins of the top probability)

        class  precision     recall         F1     images
        cat        33.3%      50.0%      40.0%          2
        dog        33.3%      50.0%      40.0%          2
        owl            –       0.0%       0.0%          2
        fox            –          –          –          0
        – is undefined: no image of that class, or none taken for it

        confusion matrix: rows are the truth, columns the prediction
             cat  dog  owl  fox
        cat    1    1    ·    ·
        dog    1    1    ·    ·
        owl    1    1    ·    ·
        fox    ·    ·    ·    ·

        the 2 most confident of 4 mistakes (images count from 0)
        image 1: cat taken for dog with 60.0%; 20.0% for cat
        image 5: owl taken for cat with 60.0%; 10.0% for owl
        """)
  }

  @Test func headlineOfTenThousand() throws {
    let mistakes = (0..<88).map { ($0 % 10, ($0 + 1) % 10, Float(0.998)) }
    let text = try digits(perClass: 1000, mistakes: mistakes, limit: 1).text
    #expect(text.hasPrefix("accuracy 99.12% (9,912 of 10,000), 95% interval 98.92–99.29%\n"))
    #expect(text.contains("\nloss 0.0281 (mean cross-entropy in nats)\n"))
    let last = """

      the most confident of 88 mistakes (images count from 0)
      image 0: 0 taken for 1 with 99.8%; 0.2% for 0
      """
    #expect(text.hasSuffix(last))
  }

  @Test func withoutMistakesTheMatrixIsLeftOut() throws {
    let text = try digits(perClass: 2, mistakes: []).text
    #expect(text.hasPrefix("accuracy 100.0% (20 of 20), 95% interval 83.9–100.0%\n"))
    #expect(text.hasSuffix("\n\nno mistakes"))
    #expect(!text.contains("matrix"))
  }

  /// Long, wide and hostile names, large counts, many classes: never more than 80 columns.
  @Test(arguments: [
    (0..<10).map { "a very long name that tells all, number \($0)" },
    (0..<10).map { "\($0): おきすつなはまやれを" },
    (0..<62).map { "letter or digit number \($0) of the alphabet" },
    ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Boot"],
    ["\u{1B}[31mred\nline", ""],
  ])
  func linesFitInEightyColumns(names: [String]) throws {
    let mistakes = (0..<names.count).map { ($0, ($0 + 1) % names.count, Float(0.99999)) }
    let text = try digits(perClass: 200, mistakes: mistakes, names: names).text
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(String(line).columns <= 80, "\(line)")
      #expect(!line.contains("\u{1B}"))
    }
  }
}
