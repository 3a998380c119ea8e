import Training

/// The images of a test set in the orders in which a report shows them.
struct ImageRanking {
  private struct Judged {
    let image: Int
    let truth: Int
    let prediction: Int
    let confidence: Float
    var isRight: Bool { truth == prediction }
  }

  private let judged: [Judged]

  init(_ predictions: Predictions) {
    judged = (0..<predictions.count).map { image in
      let prediction = predictions.prediction(of: image)
      return Judged(
        image: image, truth: Int(predictions.truths[image]), prediction: prediction.label,
        confidence: prediction.confidence)
    }
  }

  /// The mistakes that were made with the most confidence.
  func worst(_ count: Int) -> [Int] {
    Array(judged.filter { !$0.isRight }.sorted(by: Self.surer).prefix(count)).map(\.image)
  }

  /// The images whose most probable class is the least probable.
  func leastSure(_ count: Int) -> [Int] {
    Array(judged.sorted { ($0.confidence, $0.image) < ($1.confidence, $1.image) }.prefix(count)).map(\.image)
  }

  /// Images of each cell of the confusion matrix: the most confident mistakes, and of those that are right the
  /// least confident.
  func cells(mistakes: Int, right: Int) -> [String: [Int]] {
    Dictionary(grouping: judged) { EvaluationPage.cell($0.truth, $0.prediction) }.mapValues { cell in
      let isRight = cell[0].isRight
      let sorted = cell.sorted(by: Self.surer)
      return (isRight ? sorted.suffix(right).reversed() : Array(sorted.prefix(mistakes))).map(\.image)
    }
  }

  private static func surer(_ a: Judged, _ b: Judged) -> Bool {
    (b.confidence, a.image) < (a.confidence, b.image)
  }
}
