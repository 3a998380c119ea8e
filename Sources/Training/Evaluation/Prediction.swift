/// What one row of probabilities says about an image whose class is known.
///
/// Ties count against the model: the truth is found only where it is more probable than every other
/// class. A network that answers the same for all classes so scores nothing, not the share of class 0.
package struct Prediction: Hashable, Sendable {
  /// The most probable class; of several, the lowest that is not the truth.
  package let label: Int
  /// The probability of `label`.
  package let confidence: Float
  /// The number of other classes at least as probable as the truth; 0 is a right answer.
  package let rankOfTruth: Int

  package var isRight: Bool { rankOfTruth == 0 }

  /// `row` holds a probability for each class, none of them NaN; `truth` is an index into it, from 0.
  init(row: ArraySlice<Float>, truth: Int) {
    let ofTruth = row[row.startIndex + truth]
    var label = truth
    var confidence = ofTruth
    var rank = 0
    for (other, probability) in row.enumerated() where other != truth && probability >= ofTruth {
      rank += 1
      if probability > confidence || label == truth {
        label = other
        confidence = probability
      }
    }
    self.label = label
    self.confidence = confidence
    rankOfTruth = rank
  }
}
