import Datasets
import Foundation

/// The loss: cross-entropy between the softmax of the logits and the smoothed true class.
///
/// With smoothing ε, weights w and K classes an image of class y loses
/// -Σ w[k] · q[k] · log p[k], where q[k] = (1 - ε) · [k = y] + ε / K (Szegedy et al., 2016); a batch's loss is
/// the sum divided by the sum of w[y], as in PyTorch. For an outlier, which is of no class, q[k] = 1 / K and w = 1, so
/// that the network learns to be sure of nothing.
public struct SoftmaxCrossEntropy: Hashable, Sendable {
  /// ε in 0..<1.
  public var labelSmoothing: Float
  /// One weight a class; nil for all ones.
  public var classWeights: [Float]?

  public init(labelSmoothing: Float = 0, classWeights: [Float]? = nil) {
    self.labelSmoothing = labelSmoothing
    self.classWeights = classWeights
  }

  /// The weight of an image of class `label` in its batch's mean.
  func weight(of label: UInt16) -> Float { label == Dataset.noClass ? 1 : classWeights?[Int(label)] ?? 1 }

  /// An outlier is right where the highest probability is below this.
  private static let outlierLimit: Float = 0.5

  /// The summed loss of some images, and whether each is right.
  struct Outcome {
    var loss = 0.0
    var correct = 0
  }

  /// Replaces logits [count, classes] by the loss's derivative, times `scale`.
  ///
  /// Stable for any finite logits: the largest is subtracted before anything is raised to a power.
  /// The loss that is returned is a plain sum, not scaled.
  func differentiate(
    logits: UnsafeMutablePointer<Float>, labels: UnsafePointer<UInt16>, count: Int, classes: Int,
    scale: Float
  ) -> Outcome {
    var outcome = Outcome()
    let smooth = labelSmoothing / Float(classes)
    for image in 0..<count {
      let row = logits + image * classes
      let label = Int(labels[image])
      let isOutlier = labels[image] == Dataset.noClass
      let (largest, best) = maximum(row, classes)

      var total: Float = 0
      for k in 0..<classes { total += exp(row[k] - largest) }
      let logTotal = log(total)
      // The largest probability is 1 / total.
      if isOutlier ? total * Self.outlierLimit > 1 : best == label { outcome.correct += 1 }

      // The targets t[k] = w[k] · q[k] sum to T; the derivative is T · p[k] - t[k].
      var (targetSum, loss): (Float, Float) = (0, 0)
      func target(_ k: Int) -> Float {
        if isOutlier { return 1 / Float(classes) }
        return (smooth + (k == label ? 1 - labelSmoothing : 0)) * (classWeights?[k] ?? 1)
      }
      for k in 0..<classes {
        let target = target(k)
        targetSum += target
        if target != 0 { loss += target * (logTotal - (row[k] - largest)) }
      }
      for k in 0..<classes {
        let target = target(k)
        let probability = exp(row[k] - largest - logTotal)
        row[k] = scale * (targetSum * probability - target)
      }
      outcome.loss += Double(loss)
    }
    return outcome
  }

  /// Replaces logits [count, classes] by probabilities, and writes each image's plain cross-entropy in nats.
  static func evaluate(
    logits: UnsafeMutablePointer<Float>, labels: UnsafePointer<UInt16>,
    losses: UnsafeMutablePointer<Float>, count: Int, classes: Int
  ) {
    for image in 0..<count {
      let row = logits + image * classes
      let (largest, _) = maximum(row, classes)
      var total: Float = 0
      for k in 0..<classes { total += exp(row[k] - largest) }
      let logTotal = log(total)
      losses[image] = logTotal - (row[Int(labels[image])] - largest)
      for k in 0..<classes { row[k] = exp(row[k] - largest - logTotal) }
    }
  }
}

/// The largest of a row and its place, the first of equals. A NaN in front stays the largest.
private func maximum(_ row: UnsafePointer<Float>, _ count: Int) -> (value: Float, index: Int) {
  var best = 0
  for k in 1..<max(1, count) where row[k] > row[best] { best = k }
  return (row[best], best)
}
