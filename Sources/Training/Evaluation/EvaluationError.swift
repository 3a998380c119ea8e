/// Predictions that cannot be evaluated.
public enum EvaluationError: Error, Hashable, Sendable {
  case noImages
  /// NaN, or clearly outside 0 to 1. The image counts from 0.
  case notAProbability(image: Int, value: Float)
  /// NaN or infinite. The image counts from 0.
  case notALoss(image: Int, value: Float)
}

extension EvaluationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noImages:
      "no images to evaluate"
    case .notAProbability(let image, let value):
      "image \(image): expected probabilities from 0 to 1, found \(value); \(Self.remedy)"
    case .notALoss(let image, let value):
      "image \(image): expected a finite loss, found \(value); \(Self.remedy)"
    }
  }

  private static let remedy =
    "the model's weights are damaged or diverged in training; train again with a lower learning rate"
}
