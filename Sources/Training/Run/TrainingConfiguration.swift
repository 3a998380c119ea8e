import Datasets

/// Everything that decides what a run computes; stored with it, so that it can be repeated and resumed.
///
/// The number of threads is not part of it: the bits do not depend on it.
public struct TrainingConfiguration: Hashable, Sendable, Codable {
  /// The network, as `Architecture(input:parsing:)` reads it.
  public var layers: String
  public var epochs: Int
  public var batchSize: Int
  public var optimizer: OptimizerSettings
  public var schedule: Schedule
  /// The decay of the moving average of the weights; nil for none.
  public var averageDecay: Float?
  public var labelSmoothing: Float
  /// Whether the loss weighs each class by the inverse of its frequency.
  public var balancesClasses: Bool
  public var initialization: Initialization
  public var augmentation: Augmentation
  /// Images of the training data set aside to choose the best epoch.
  public var validationCount: Int
  /// Epochs without a better validation result after which training ends; nil for never.
  public var patience: Int?
  public var seed: UInt64
  public var data: DataLocation

  /// A run with the usual recipe, but for what is given.
  ///
  /// The recipe (AdamW, one cycle from and to small learning rates, strong decoupled decay) brings `lenet5` to
  /// 99.2% on MNIST's test set in ten epochs.
  public init(
    layers: String, data: DataLocation, epochs: Int = 10, batchSize: Int = 64,
    optimizer: OptimizerSettings = OptimizerSettings(rule: .usualAdamW, weightDecay: 0.3),
    schedule: Schedule = Schedule(.oneCycle, learningRate: 0.003), averageDecay: Float? = nil,
    labelSmoothing: Float = 0, balancesClasses: Bool = false, initialization: Initialization = .he,
    augmentation: Augmentation = .none, validationCount: Int = 0, patience: Int? = nil, seed: UInt64 = 1
  ) {
    self.layers = layers
    self.epochs = epochs
    self.batchSize = batchSize
    self.optimizer = optimizer
    self.schedule = schedule
    self.averageDecay = averageDecay
    self.labelSmoothing = labelSmoothing
    self.balancesClasses = balancesClasses
    self.initialization = initialization
    self.augmentation = augmentation
    self.validationCount = validationCount
    self.patience = patience
    self.seed = seed
    self.data = data
  }
}

extension TrainingConfiguration {
  /// Whether the sizes are such as a program would take: a file may claim any.
  var isPlausible: Bool {
    (1...1_000_000).contains(epochs) && (1...1_000_000).contains(batchSize) && validationCount >= 0
      && (patience ?? 1) >= 1 && (0...1_000_000).contains(schedule.warmUpEpochs)
  }
}

extension TrainingConfiguration {
  /// Loads the images that the run set aside to judge by; throws a `FileError` if the data is not what it was.
  public func validationImages(_ classes: ClassTable) throws(FileError) -> Dataset {
    var location = data
    location.outliers = nil
    let all = try location.load(.training, classes: classes)
    guard validationCount <= all.count else {
      throw FileError(
        .malformed, path: all.source, expected: "the images that the run was trained on",
        found: "only \(all.count)", remedy: "put them back")
    }
    let members = all.split(validation: validationCount, seed: seed).validation
    return all.images(at: members.map { Int($0) })
  }
}

/// Where a run's training images lie: a folder, or two named files.
public struct DataLocation: Hashable, Sendable, Codable {
  public var folder: String?
  public var images: String?
  public var labels: String?
  public var transpose: Bool
  /// The names of the classes as the user gave them: a list with commas, or a file.
  public var classNames: String?
  /// IDX files of images that show none of the classes.
  public var outliers: [String]?

  public init(
    folder: String?, images: String? = nil, labels: String? = nil, transpose: Bool = false,
    classNames: String? = nil, outliers: [String]? = nil
  ) {
    self.folder = folder
    self.images = images
    self.labels = labels
    self.transpose = transpose
    self.classNames = classNames
    self.outliers = outliers
  }

  /// Loads one part, that for training with its outliers; throws a `FileError` for whatever is wrong with it.
  public func load(_ part: DatasetSource.Part, classes: ClassTable? = nil) throws(FileError) -> Dataset {
    // Given classes bring their names along.
    var names: ClassNames?
    if let classNames, classes == nil { names = try ClassNames(argument: classNames) }
    let source: DatasetSource
    if let images, let labels {
      source = DatasetSource(images: images, labels: labels, transpose: transpose, names: names)
    } else {
      source = DatasetSource(folder: folder ?? ".", transpose: transpose, names: names)
    }
    let data = try source.load(part, classes: classes)
    return part == .training ? try data.withOutliers(outliers ?? []) : data
  }
}
