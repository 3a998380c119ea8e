import Datasets
import Foundation

/// Two models judged on the same images: which is better, and is that more than chance.
///
/// Most images are right or wrong for both and say nothing about the difference; all of it rests on those that
/// only one of them gets right. `text` is the report to read, `ComparisonJSON` the one for programs.
public struct Comparison: Hashable, Sendable {
  public let classes: ClassTable
  /// The number of images.
  public let count: Int
  public let first: Side
  public let second: Side
  public let bothRight: Int
  public let bothWrong: Int
  /// The images that only the first model gets right, the second's most confident mistakes first.
  public let onlyFirst: [Disagreement]
  /// The images that only the second model gets right, the first's most confident mistakes first.
  public let onlySecond: [Disagreement]
  /// The 95% interval of `difference`.
  public let differenceInterval: PairedInterval
  /// The probability of a split at least as uneven among those images if neither model were better.
  ///
  /// McNemar's test ("Note on the sampling error of the difference between correlated proportions",
  /// Psychometrika 12, 1947) in its exact two-sided form: each such image is a fair coin.
  public let pValue: Double

  /// Accuracy of the first less that of the second, a fraction.
  public var difference: Double { first.accuracy - second.accuracy }

  /// How good one of the models is.
  public struct Side: Hashable, Sendable {
    public let correct: Int
    public let accuracy: Double
    public let interval: WilsonInterval
  }

  /// An image that one model gets right and the other does not.
  public struct Disagreement: Hashable, Sendable {
    /// The place in the set, from 0.
    public let image: Int
    /// Class indices: the truth, and what the model that is wrong takes the image for.
    public let truth: Int
    public let mistakenFor: Int
    /// The probability that the wrong model gives to `mistakenFor`, and the right one to the truth.
    public let probabilityOfMistake: Float
    public let probabilityOfTruth: Float
  }

  /// Compares what two models say of the same images.
  ///
  /// - Precondition: both predicted the same images with the same classes.
  /// - Throws: for no images.
  public init(_ first: Predictions, _ second: Predictions, classes: ClassTable) throws(EvaluationError) {
    precondition(first.truths == second.truths)
    precondition(first.classCount == classes.count && second.classCount == classes.count)
    guard first.count > 0 else { throw .noImages }
    var (bothRight, bothWrong) = (0, 0)
    var (onlyFirst, onlySecond): ([Disagreement], [Disagreement]) = ([], [])
    for image in 0..<first.count {
      let (a, b) = (first.prediction(of: image), second.prediction(of: image))
      switch (a.isRight, b.isRight) {
      case (true, true): bothRight += 1
      case (false, false): bothWrong += 1
      case (true, false): onlyFirst.append(Disagreement(image, truth: a, mistake: b))
      case (false, true): onlySecond.append(Disagreement(image, truth: b, mistake: a))
      }
    }
    func side(_ correct: Int) -> Side {
      Side(
        correct: correct, accuracy: Double(correct) / Double(first.count),
        interval: WilsonInterval(successes: correct, of: first.count))
    }
    func sorted(_ found: [Disagreement]) -> [Disagreement] {
      found.sorted { ($1.probabilityOfMistake, $0.image) < ($0.probabilityOfMistake, $1.image) }
    }
    self.classes = classes
    count = first.count
    self.first = side(bothRight + onlyFirst.count)
    self.second = side(bothRight + onlySecond.count)
    self.bothRight = bothRight
    self.bothWrong = bothWrong
    differenceInterval = PairedInterval(
      onlyFirst: onlyFirst.count, onlySecond: onlySecond.count, of: first.count)
    pValue = Self.exactTest(onlyFirst.count, onlySecond.count)
    self.onlyFirst = sorted(onlyFirst)
    self.onlySecond = sorted(onlySecond)
  }

  /// `min(1, 2 P(X <= min(a, b)))` for X of the binomial distribution with a + b trials of 1/2.
  ///
  /// The sum runs from its largest term down, so that nothing is lost where single terms vanish.
  static func exactTest(_ a: Int, _ b: Int) -> Double {
    let (n, k) = (Double(a + b), Double(min(a, b)))
    guard n > 0 else { return 1 }
    // ln C(n, k) - n ln 2
    let choices: Double = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    var term: Double = exp(choices - n * log(2))
    var sum = 0.0
    for i in stride(from: k, through: 0, by: -1) {
      sum += term
      term *= i / (n - i + 1)
      if term < sum * 1e-17 { break }
    }
    return min(1, 2 * sum)
  }
}

extension Comparison.Disagreement {
  fileprivate init(_ image: Int, truth right: Prediction, mistake: Prediction) {
    self.image = image
    truth = right.label
    mistakenFor = mistake.label
    probabilityOfMistake = mistake.confidence
    probabilityOfTruth = right.confidence
  }
}

/// The 95% interval of the difference between two proportions that were measured on the same images.
///
/// Bonett and Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired
/// data", J. Educ. Behav. Stat. 37 (2012): with one image added to each kind of disagreement and `n + 2` in all,
/// `d ± z √((p + q - d²)/(n + 2))`, p and q the shares of the two kinds and d their difference.
public struct PairedInterval: Hashable, Sendable {
  /// Fractions, `-1 <= low <= high <= 1`.
  public let low: Double
  public let high: Double

  init(onlyFirst: Int, onlySecond: Int, of count: Int) {
    let n = Double(count + 2)
    let (p, q) = (Double(onlyFirst + 1) / n, Double(onlySecond + 1) / n)
    let difference = p - q
    let halfWidth = WilsonInterval.z * ((p + q - difference * difference) / n).squareRoot()
    low = max(-1, difference - halfWidth)
    high = min(1, difference + halfWidth)
  }
}
