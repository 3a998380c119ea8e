import Datasets

/// How well a network's predictions agree with the truth; a pure function of both.
///
/// `text` is the report to read, `EvaluationJSON` the one for programs. All rates are fractions.
public struct Evaluation: Hashable, Sendable {
  public let classes: ClassTable
  /// The number of images.
  public let count: Int
  /// The number of images whose true class is more probable than every other.
  public let correct: Int
  public let accuracyInterval: WilsonInterval
  /// For k of 1, 2, 3 and 5 below the number of classes.
  public let topK: [TopK]
  /// Mean cross-entropy in nats.
  public let loss: Double
  public let confusion: ConfusionMatrix
  /// By class index.
  public let classScores: [ClassScores]
  /// The mean of the F1 scores of the classes that are present or predicted.
  public let macroF1: Double
  public let calibration: Calibration
  /// The most confident first, then in the order of the images; as many as were asked for.
  public let mistakes: [Mistake]

  public var accuracy: Double { Double(correct) / Double(count) }

  /// The share of images whose true class is among the `k` most probable.
  ///
  /// Ties count against the model: a class as probable as the truth goes before it.
  public struct TopK: Hashable, Sendable {
    public let k: Int
    public let accuracy: Double
  }

  /// An image that was taken for another class.
  public struct Mistake: Hashable, Sendable {
    /// The place in the set, from 0.
    public let image: Int
    /// Class indices.
    public let truth: Int
    public let prediction: Int
    /// The probabilities that the network gave to both.
    public let probability: Float
    public let probabilityOfTruth: Float
  }

  /// Compares predictions with the truth.
  ///
  /// - Parameters:
  ///   - probabilities: softmax outputs, row-major [count, classes].
  ///   - truth: the class index of each image, below `classes.count`.
  ///   - losses: the cross-entropy of each image in nats, as the network's own loss computes it:
  ///     that stays exact where the probability of the truth rounds to 0.
  ///   - classes: the classes that labels and columns stand for.
  ///   - limit: how many of the most confident mistakes to keep.
  /// - Throws: for no images, a probability outside 0 to 1 and a loss that is not finite.
  /// - Complexity: O(count × classes) time, O(count + classes²) memory.
  public init(
    probabilities: [Float], truth: [UInt16], losses: [Float], classes: ClassTable,
    mistakes limit: Int = 10
  ) throws(EvaluationError) {
    let (count, width) = (truth.count, classes.count)
    precondition(probabilities.count == count * width && losses.count == count)
    precondition(truth.allSatisfy { Int($0) < width })
    if count == 0 { throw .noImages }

    var confusion = ConfusionMatrix(classes: width)
    var imagesOfRank = Array(repeating: 0, count: width)
    var confidences: [Float] = []
    var right: [Bool] = []
    var mistakes: [Mistake] = []
    var loss = 0.0
    for image in 0..<count {
      let row = probabilities[image * width..<(image + 1) * width]
      if let value = row.first(where: { !Self.isProbability($0) }) {
        throw .notAProbability(image: image, value: value)
      }
      if !losses[image].isFinite { throw .notALoss(image: image, value: losses[image]) }
      loss += Double(losses[image])

      let label = Int(truth[image])
      let prediction = Prediction(row: row, truth: label)
      let isRight = prediction.rankOfTruth == 0
      confusion.add(truth: label, prediction: prediction.label)
      imagesOfRank[prediction.rankOfTruth] += 1
      confidences.append(prediction.confidence)
      right.append(isRight)
      if !isRight {
        mistakes.append(
          Mistake(
            image: image, truth: label, prediction: prediction.label,
            probability: prediction.confidence, probabilityOfTruth: row[row.startIndex + label]))
      }
    }

    self.classes = classes
    self.count = count
    correct = imagesOfRank[0]
    accuracyInterval = WilsonInterval(successes: imagesOfRank[0], of: count)
    topK = [1, 2, 3, 5].filter { $0 < width }.map { k in
      TopK(k: k, accuracy: Double(imagesOfRank[..<k].reduce(0, +)) / Double(count))
    }
    self.loss = loss / Double(count)
    self.confusion = confusion
    classScores = confusion.classScores
    macroF1 = classScores.macroF1 ?? 0
    calibration = Calibration(confidences: confidences, right: right)
    mistakes.sort { ($1.probability, $0.image) < ($0.probability, $1.image) }
    self.mistakes = Array(mistakes.prefix(max(0, limit)))
  }

  /// Softmax may pass 1 by a few roundings; 1e-4 is far above those and far below a logit passed by mistake.
  private static func isProbability(_ value: Float) -> Bool { value >= 0 && value <= 1 + 1e-4 }
}
