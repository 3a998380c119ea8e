/// What kind of Core ML model is written, and what its input and outputs are called.
public struct CoreMLOptions: Hashable, Sendable {
  public var kind: Kind
  public var names: Names

  /// - Parameters:
  ///   - kind: what the model can do on the device.
  ///   - names: nil for those that are usual for the kind.
  public init(kind: Kind = .plain, names: Names? = nil) {
    self.kind = kind
    self.names = names ?? kind.usualNames
  }

  /// What becomes of the model on the device.
  public enum Kind: Hashable, Sendable {
    /// It answers, and stays as it is.
    case plain
    /// Its last dense layers can be trained further; needs float32 weights.
    case updatable(Update = Update())
    /// It answers with the label of the nearest examples, of which it has none at first; the network without
    /// its last dense layer says what is near.
    ///
    /// Three neighbours are as many as people give examples of a class, and enough to outvote one that went
    /// wrong. They weigh by the inverse of their distance, so that the nearest wins where each class has but
    /// one. Without an example the label is `unknown`.
    case updatableNeighbors(count: Int = 3)

    fileprivate var usualNames: Names { self == .plain ? .usual : .drawing }
  }

  /// The names by which a program uses the model: Xcode makes the arguments and properties of a class of
  /// them.
  public struct Names: Hashable, Sendable {
    /// The image.
    public var input: String
    /// The most probable class.
    public var label: String
    /// The probability of each class, by its name.
    public var probabilities: String

    public init(input: String, label: String, probabilities: String) {
      self.input = input
      self.label = label
      self.probabilities = probabilities
    }

    /// Those that image classifiers mostly have.
    public static let usual = Names(
      input: "image", label: "classLabel", probabilities: "labelProbabilities")
    /// Those of Apple's updatable drawing classifier.
    public static let drawing = Names(input: "drawing", label: "label", probabilities: "labelProbs")
  }

  /// How the device trains, unless the program says otherwise.
  public struct Update: Hashable, Sendable {
    public var optimizer: Optimizer
    /// Images a step, at most 1,024.
    public var batchSize: Int
    /// At most 1,000.
    public var epochs: Int
    /// Whether each epoch takes the images in another order.
    public var shuffles: Bool
    /// Of that order.
    public var seed: Int

    public init(
      optimizer: Optimizer = .sgd(), batchSize: Int = 16, epochs: Int = 10, shuffles: Bool = true,
      seed: Int = 1
    ) {
      self.optimizer = optimizer
      self.batchSize = batchSize
      self.epochs = epochs
      self.shuffles = shuffles
      self.seed = seed
    }
  }

  /// The rule by which weights change; all settings are between 0 and 1.
  ///
  /// The learning rates are low enough that some hundred examples bring down the loss of a trained network in
  /// each epoch; with SGD at 0.01 the first one took that of a net with seven layers up.
  public enum Optimizer: Hashable, Sendable {
    case sgd(learningRate: Double = 0.005, momentum: Double = 0.9)
    case adam(
      learningRate: Double = 0.001, beta1: Double = 0.9, beta2: Double = 0.999, epsilon: Double = 1e-8)
  }
}
