import Arguments
import Datasets
import Interchange
import PlainText
import Programs
import Training

/// A run that is ready to start or to go on, as the command line asks for it.
struct Run {
  let configuration: TrainingConfiguration
  let data: Dataset
  let start: Trainer.Start
  /// The run folder's path.
  let path: String
  /// What became of the weights that a new run starts from, for people; nil where that is plain.
  let startText: String?

  private typealias Options = TrainOptions

  /// Works out a new run from the options.
  init(new arguments: ParsedArguments) throws {
    let command = Options.command
    var location = try Options.data.location(
      arguments, command: command, classNames: arguments[Options.classNames])
    location.outliers = arguments[Options.outliers].map { $0.split(separator: ",").map(String.init) }
    let data = try location.load(.training)
    let initial = try InitialModel(arguments, data: data)
    let architecture = try Self.architecture(arguments, data: data, initial: initial)
    let labelledCount = data.count - data.outlierCount
    let validation = arguments[Options.validation] ?? min(5000, labelledCount / 10)
    guard validation < labelledCount else {
      throw command.usageError(
        "--validation \(validation) leaves nothing to train on: \(data.source) has \(labelledCount.of("image"))"
      )
    }
    guard validation > 0 || arguments[Options.patience] == nil else {
      throw command.usageError("--patience needs images set aside to judge by: give --validation 1 or more")
    }
    let usual = arguments[Options.optimizer].usual
    let (seed, initialization) = (arguments[Options.seed], arguments[Options.initialization])
    let (model, startText) = try initial.model(
      architecture, classes: data.classes, initialization: initialization, seed: seed)
    configuration = TrainingConfiguration(
      layers: model.architecture.text, data: location, epochs: arguments[Options.epochs],
      batchSize: arguments[Options.batch],
      optimizer: OptimizerSettings(
        rule: Self.rule(arguments), weightDecay: arguments[Options.weightDecay] ?? usual.weightDecay,
        gradientClip: arguments[Options.clip]),
      schedule: Schedule(
        Self.scheduleShape(arguments), learningRate: arguments[Options.learningRate] ?? usual.learningRate,
        warmUpEpochs: arguments[Options.warmUp]), averageDecay: arguments[Options.average],
      labelSmoothing: arguments[Options.labelSmoothing], balancesClasses: arguments[Options.balance],
      initialization: initialization,
      augmentation: try Augmentation(parsing: arguments[Options.augment]), validationCount: validation,
      patience: arguments[Options.patience], seed: seed)
    start = .model(model)
    self.startText = startText
    path = arguments[Options.output] ?? "runs/\(Self.name(arguments))"
    self.data = data
  }

  /// Reads a run to go on with from its folder.
  init(resuming folder: RunFolder, _ arguments: ParsedArguments) throws {
    let checkpoint = try Checkpoint(contentsOf: folder.lastPath)
    guard var configuration = checkpoint.configuration else {
      throw MisfitError("\(folder.lastPath): a model that was not trained here cannot be resumed; use --init")
    }
    if Options.data.isGiven(arguments) {
      let location = try Options.data.location(arguments, command: Options.command)
      configuration.data.folder = location.folder
      (configuration.data.images, configuration.data.labels) = (location.images, location.labels)
    }
    self.configuration = configuration
    data = try configuration.data.load(.training, classes: checkpoint.classes)
    start = .checkpoint(checkpoint)
    startText = nil
    path = folder.path
  }

  private static func architecture(
    _ arguments: ParsedArguments, data: Dataset, initial: InitialModel
  ) throws -> Architecture {
    let classes = data.classes.count
    if let text = arguments[Options.layers] {
      guard arguments[Options.preset] == nil else {
        throw Options.command.usageError("--layers and --preset each name a network; give one of them")
      }
      let architecture = try Architecture(input: data.shape, parsing: text)
      try architecture.requireOutput(classes: classes)
      return architecture
    }
    if arguments[Options.preset] == nil, let architecture = try initial.architecture {
      return try architecture.replacingOutput(classes: classes)
    }
    let preset = arguments[Options.preset] ?? .lenet5
    return try Architecture(input: data.shape, parsing: preset.text(classes: classes))
  }

  /// What a run is called that was given no name.
  private static func name(_ arguments: ParsedArguments) -> String {
    if let preset = arguments[Options.preset] { return preset.rawValue }
    if arguments[Options.layers] != nil { return "custom" }
    return arguments[Options.initial] == nil ? Preset.lenet5.rawValue : "fine-tuned"
  }

  private static func rule(_ arguments: ParsedArguments) -> OptimizerRule {
    switch arguments[Options.optimizer] {
    case .sgd: .sgd(momentum: arguments[Options.momentum], nesterov: false)
    case .nesterov: .sgd(momentum: arguments[Options.momentum], nesterov: true)
    case .adam: .usualAdam
    case .adamw: .usualAdamW
    }
  }

  private static func scheduleShape(_ arguments: ParsedArguments) -> Schedule.Shape {
    switch arguments[Options.schedule] {
    case .constant: .constant
    case .step: .step(epochs: arguments[Options.stepEpochs], factor: arguments[Options.stepFactor])
    case .cosine: .cosine
    case .onecycle: .oneCycle
    }
  }
}
