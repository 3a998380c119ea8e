/// What a network takes an image for.
public struct Prediction: Hashable, Sendable {
  /// The name of the most probable class.
  public let label: String
  /// Its probability, 0 to 1.
  public let probability: Float
  /// Its index among the classes.
  public let classIndex: Int
  /// Whether the image shows none of the classes, as far as the network can tell: the probability lies below its
  /// `refusalThreshold`.
  public let isRefused: Bool
  /// By class index; together 1.
  public let probabilities: [Float]
  private let labels: [String]

  init(classIndex: Int, probabilities: [Float], labels: [String], refusalThreshold: Float) {
    self.classIndex = classIndex
    self.probabilities = probabilities
    self.labels = labels
    label = labels[classIndex]
    probability = probabilities[classIndex]
    isRefused = probability < refusalThreshold
  }

  /// The `count` most probable classes, the most probable first.
  public func top(_ count: Int) -> [(label: String, probability: Float)] {
    probabilities.indices.sorted { (-probabilities[$0], $0) < (-probabilities[$1], $1) }.prefix(max(0, count))
      .map { (labels[$0], probabilities[$0]) }
  }
}
