import Datasets
import Foundation
import Inference

/// From when on a network says that an image shows none of its classes, and how sure it makes itself out to be.
public struct Refusal: Hashable, Sendable {
  /// What the logits were divided by.
  public let temperature: Double
  /// An image whose highest probability is below this shows none of the classes.
  public let threshold: Float
  /// Images of the classes by which the threshold was set, and how many of them it refuses.
  public let imageCount: Int
  public let refusedCount: Int

  /// How to find it: by labelled images that the weights were not fitted to.
  public struct Rule: Sendable {
    public var images: Dataset
    /// The share of the images that may be refused, from 0 to below 1.
    public var share: Double

    /// - Precondition: `share` is in 0..<1.
    public init(images: Dataset, share: Double) {
      precondition(share >= 0 && share < 1)
      self.images = images
      self.share = share
    }
  }

  /// As high a threshold as the rule allows.
  ///
  /// - Precondition: the rule's share is below 1.
  init(_ rule: Rule, temperature: Double, predictions: Predictions) {
    let highest = predictions.highest.sorted()
    let allowed = Int(rule.share * Double(highest.count))
    let threshold: Float
    if highest.isEmpty {
      threshold = 0
    } else {
      // Between two images rather than at one: another order of summing must not refuse it.
      let (below, above) = (allowed > 0 ? highest[allowed - 1] : 0.99 * highest[0], highest[allowed])
      threshold = (below + above) / 2
    }
    self.temperature = temperature
    self.threshold = threshold
    imageCount = highest.count
    refusedCount = highest.count { $0 < threshold }
  }
}

extension Predictions {
  /// The highest probability of each image.
  var highest: [Float] { (0..<count).map { row(of: $0).max() ?? 0 } }

  /// The temperature that makes the probabilities fit the truths best: that with the least mean cross-entropy when the
  /// logits are divided by it, between 1/20 and 20.
  ///
  /// Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks", ICML 2017, section 4.2.
  var bestTemperature: Double {
    guard count > 0 else { return 1 }
    // Probabilities are logits but for a constant.
    let logits = probabilities.map { log(max(Double($0), Double(Float.leastNormalMagnitude))) }
    // The loss is convex in 1 / temperature; its slope is the mean of E[logit] - logit of the truth.
    var (low, high) = (0.05, 20.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if slope(logits, at: middle) < 0 { low = middle } else { high = middle }
    }
    return 2 / (low + high)
  }

  private func slope(_ logits: [Double], at factor: Double) -> Double {
    (0..<count).reduce(0) { sum, image in
      let row = logits[image * classCount..<(image + 1) * classCount]
      let highest = row.max() ?? 0
      var (total, mean) = (0.0, 0.0)
      for logit in row {
        let weight = exp(factor * (logit - highest))
        total += weight
        mean += weight * logit
      }
      return sum + mean / total - row[row.startIndex + Int(truths[image])]
    }
  }
}

extension LoweredNetwork {
  /// The same network with its logits divided: the weights of the last layer are, since what follows it, if anything does,
  /// keeps factors.
  func withLogits(dividedBy temperature: Double) -> LoweredNetwork {
    var result = self
    for operation in operations.reversed() {
      let parts: [Int]
      switch operation {
      case .convolution(let convolution): parts = [convolution.weights, convolution.bias]
      case .dense(let dense): parts = [dense.weights, dense.bias]
      case .affine(let scale, let shift): parts = [scale, shift]
      case .maximumPool, .averagePool, .globalAveragePool, .flatten, .softmax, .activation: continue
      }
      for part in parts where part != InkFormat.noTensor {
        for index in result.tensors[part].values.indices {
          result.tensors[part].values[index] /= Float(temperature)
        }
      }
      return result
    }
    return result
  }
}
