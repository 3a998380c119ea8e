/// How well one class is recognised; a ratio of nothing to nothing is nil.
public struct ClassScores: Hashable, Sendable {
  /// Right among the images taken for this class; nil where there is none.
  public let precision: Double?
  /// Right among the images of this class; nil where there is none.
  public let recall: Double?
  /// `2 TP / (2 TP + FP + FN)`, the harmonic mean of precision and recall (van Rijsbergen,
  /// "Information Retrieval", 1979); nil where the class is neither present nor predicted.
  public let f1: Double?
  /// The number of images of this class.
  public let support: Int

  init(right: Int, support: Int, predicted: Int) {
    func ratio(_ part: Int, _ whole: Int) -> Double? {
      whole == 0 ? nil : Double(part) / Double(whole)
    }
    precision = ratio(right, predicted)
    recall = ratio(right, support)
    f1 = ratio(2 * right, support + predicted)
    self.support = support
  }
}

extension ConfusionMatrix {
  /// The scores of each class, by class index.
  public var classScores: [ClassScores] {
    var support = Array(repeating: 0, count: classes)
    var predicted = support
    for (truth, row) in rows.enumerated() {
      for (prediction, count) in row.enumerated() {
        support[truth] += count
        predicted[prediction] += count
      }
    }
    return (0..<classes).map {
      ClassScores(right: self[truth: $0, prediction: $0], support: support[$0], predicted: predicted[$0])
    }
  }
}

extension Sequence<ClassScores> {
  /// The mean of the classes' F1 scores, over those classes that have one; nil where none has.
  ///
  /// The mean of the scores, not the score of the mean precision and recall: Opitz and Burst, "Macro F1
  /// and Macro F1", arXiv:1911.03347, show that the latter flatters a biased classifier.
  var macroF1: Double? {
    let scores = compactMap(\.f1)
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }
}
