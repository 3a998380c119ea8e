import Testing

/// All tests of the built programs, one at a time: each is a process, or several, that wants the cores.
@Suite(.serialized) enum ProgramTests {
  /// A small network of plain layers.
  static let plain = "conv 3x3 4, relu, maxpool 2, dense 3"
  /// One with state beside the weights and with randomness in training.
  static let rich = "conv 3x3 4, batchnorm, relu, maxpool 2, dropout 0.2, dense 3"
  /// Everything of which a run could lose track: that network, augmentation and a moving average.
  static let everything = ["--layers", rich, "--augment", "standard", "--average", "0.99"]
  /// Settings under which either network learns the pictures in a few epochs.
  static let quick = ["--batch", "16", "--learning-rate", "0.03"]
}
