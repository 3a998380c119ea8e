/// What a trainer tells while it works.
public enum TrainingEvent: Sendable {
  case step(StepRecord)
  case epoch(EpochRecord, isBest: Bool)
}

/// How an epoch stands after a step.
public struct StepRecord: Hashable, Sendable {
  /// From 1.
  public var epoch: Int
  /// Steps done in the epoch.
  public var step: Int
  public var stepsPerEpoch: Int
  /// Mean over the epoch so far.
  public var loss: Double
  /// Share of right guesses over the epoch so far.
  public var accuracy: Double
  public var imagesPerSecond: Double
  /// Estimate for the rest of the run, in seconds.
  public var secondsLeft: Double
}

/// How a run ended.
public enum TrainingOutcome: Hashable, Sendable {
  case finished
  /// No better validation result for as many epochs as the configuration's patience.
  case stoppedEarly
  /// The stop signal was set; `last.ckpt` holds the state after the last step.
  case interrupted
}
