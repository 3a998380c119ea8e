/// How far a run has come: with the buffers of a checkpoint, all that is needed to go on bit for bit.
public struct TrainingProgress: Hashable, Sendable, Codable {
  /// Epochs completed.
  public var epoch = 0
  /// Steps done in the unfinished epoch: the position in its shuffle.
  public var stepInEpoch = 0
  /// Steps of the optimiser since the start.
  public var step = 0
  /// The unfinished epoch's sum of losses and its right guesses so far.
  var lossSum = 0.0
  var correct = 0
  var imagesSeen = 0
  /// The best epoch so far, from 1.
  public var bestEpoch: Int?
  public var bestAccuracy: Double?
  var bestLoss: Double?

  public init() {}

  /// Whether these are numbers that training can reach.
  var isPlausible: Bool {
    [epoch, stepInEpoch, step, imagesSeen, correct, bestEpoch ?? 0].allSatisfy { (0...1 << 48).contains($0) }
  }

  /// Whether a validation result beats the best so far: more right, or as many at a smaller loss.
  func isImprovement(accuracy: Double, loss: Double) -> Bool {
    guard let bestAccuracy, let bestLoss else { return true }
    return accuracy > bestAccuracy || (accuracy == bestAccuracy && loss < bestLoss)
  }
}
