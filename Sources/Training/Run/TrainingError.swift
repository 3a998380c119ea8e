import PlainText

/// Training that cannot go on.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  case diverged(epoch: Int, step: Int, learningRate: Float)
  case dataChanged
  /// The checkpoint holds a model, but not all that its training needs to go on.
  case incompleteCheckpoint
  case tooLarge(bytes: Int, available: Int)

  public var description: String {
    switch self {
    case .diverged(let epoch, let step, let rate):
      "the loss is no longer finite in epoch \(epoch.groupedDigits), step \(step.groupedDigits), at learning rate \(rate); try a "
        + "smaller --learning-rate, a --warm-up of an epoch, or --clip 1"
    case .dataChanged:
      "the training data is not what this run began with; resume with the same data, or start a new run"
    case .incompleteCheckpoint:
      "the checkpoint holds a model, but not the state of its training; start from it with --init"
    case .tooLarge(let bytes, let available):
      "training would take \(bytes / 1_000_000_000) GB of memory, this machine has \(available / 1_000_000_000); "
        + "choose a smaller network, --batch or --threads"
    }
  }
}
