import Foundation

/// The learning rate over the steps of a run.
public struct Schedule: Hashable, Sendable, Codable {
  public enum Shape: Hashable, Sendable, Codable {
    /// The same rate throughout.
    case constant
    /// Multiplied by `factor` after every `epochs` epochs.
    case step(epochs: Int, factor: Float)
    /// Half a cosine from the rate to 0 (Loshchilov and Hutter, "SGDR", 2017).
    case cosine
    /// Up from 1/25 of the rate in the first 30% of the steps, then down to 1/10,000 of it, both along
    /// half a cosine (Smith and Topin, "Super-convergence", 2018).
    case oneCycle
  }

  public var shape: Shape
  /// The highest rate.
  public var learningRate: Float
  /// Epochs, or a part of one, in which the rate rises linearly from near 0 to the shape's first.
  public var warmUpEpochs: Float

  public init(_ shape: Shape, learningRate: Float, warmUpEpochs: Float = 0) {
    self.shape = shape
    self.learningRate = learningRate
    self.warmUpEpochs = warmUpEpochs
  }

  /// The rate of step number `step`, from 0, in a run of `epochs` epochs of `stepsPerEpoch` steps.
  public func rate(step: Int, stepsPerEpoch: Int, epochs: Int) -> Float {
    let allSteps = stepsPerEpoch * epochs
    let warmUp = Int(min(Double(allSteps), (Double(warmUpEpochs) * Double(stepsPerEpoch)).rounded()))
    let total = max(1, allSteps - warmUp)
    if step < warmUp {
      let first = shapeRate(position: 0, of: total, stepsPerEpoch: stepsPerEpoch)
      return first * Float(step + 1) / Float(warmUp + 1)
    }
    return shapeRate(position: step - warmUp, of: total, stepsPerEpoch: stepsPerEpoch)
  }

  /// The rate at a step after the warm-up.
  private func shapeRate(position: Int, of total: Int, stepsPerEpoch: Int) -> Float {
    let progress = min(1, Float(position) / Float(total))
    switch shape {
    case .constant: return learningRate
    case .step(let epochs, let factor):
      return learningRate * pow(factor, Float(position / max(1, epochs * stepsPerEpoch)))
    case .cosine: return Schedule.halfCosine(from: learningRate, to: 0, progress)
    case .oneCycle:
      let rise: Float = 0.3
      return progress < rise
        ? Schedule.halfCosine(from: learningRate / 25, to: learningRate, progress / rise)
        : Schedule.halfCosine(from: learningRate, to: learningRate * 1e-4, (progress - rise) / (1 - rise))
    }
  }

  private static func halfCosine(from start: Float, to end: Float, _ progress: Float) -> Float {
    end + (start - end) * (1 + cos(.pi * progress)) / 2
  }
}
