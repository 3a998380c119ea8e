/// How often each class was taken for each: rows are the truth, columns the prediction.
///
/// Holds classes × classes counts.
public struct ConfusionMatrix: Hashable, Sendable {
  public let classes: Int
  private var counts: [Int]

  /// A matrix of zeros.
  public init(classes: Int) {
    self.classes = classes
    counts = Array(repeating: 0, count: classes * classes)
  }

  public subscript(truth truth: Int, prediction prediction: Int) -> Int {
    precondition((0..<classes).contains(truth) && (0..<classes).contains(prediction))
    return counts[truth * classes + prediction]
  }

  /// Counts one image of class `truth` that was taken for `prediction`.
  public mutating func add(truth: Int, prediction: Int) {
    precondition((0..<classes).contains(truth) && (0..<classes).contains(prediction))
    counts[truth * classes + prediction] += 1
  }

  /// The counts, a row for each true class.
  public var rows: [[Int]] {
    (0..<classes).map { Array(counts[$0 * classes..<($0 + 1) * classes]) }
  }

  /// One kind of mistake and how often it was made.
  public struct Confusion: Hashable, Sendable {
    public let truth: Int
    public let prediction: Int
    public let count: Int
  }

  /// The mistakes that were made at all, the most frequent first, then by truth and prediction.
  public var confusions: [Confusion] {
    var found: [Confusion] = []
    for truth in 0..<classes {
      for prediction in 0..<classes where prediction != truth {
        let count = self[truth: truth, prediction: prediction]
        if count > 0 { found.append(Confusion(truth: truth, prediction: prediction, count: count)) }
      }
    }
    return found.sorted { ($1.count, $0.truth, $0.prediction) < ($0.count, $1.truth, $1.prediction) }
  }
}
