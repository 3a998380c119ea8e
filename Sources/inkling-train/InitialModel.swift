import Arguments
import Datasets
import Interchange
import Programs
import Training

/// What a new run starts from: fresh weights, or those that --init names.
enum InitialModel {
  case fresh
  case checkpoint(Checkpoint)
  case weights(WeightFile, InputNormalization?)

  private typealias Options = TrainOptions

  /// Reads what --init names; throws a `MisfitError` for a checkpoint that takes other images than the data
  /// has.
  init(_ arguments: ParsedArguments, data: Dataset) throws {
    let normalization = try Self.normalization(arguments)
    guard let given = arguments[Options.initial] else {
      try Self.requireNone(normalization)
      self = .fresh
      return
    }
    let path = try RunFolder.modelPath(given)
    if try WeightFile.isWeightFile(path) {
      self = .weights(try WeightFile(contentsOf: path), normalization)
      return
    }
    try Self.requireNone(normalization)
    let checkpoint = try Checkpoint(contentsOf: path)
    guard checkpoint.model.architecture.input == data.shape else {
      throw MisfitError(
        "\(path): takes images of \(checkpoint.model.architecture.input), but \(data.source) has images of "
          + "\(data.shape); start from a checkpoint for such images, or without --init")
    }
    self = .checkpoint(checkpoint)
  }

  /// The network that --init brings along; nil where there is none to bring.
  var architecture: Architecture? {
    get throws {
      switch self {
      case .fresh: return nil
      case .checkpoint(let checkpoint): return checkpoint.model.architecture
      case .weights(let file, _):
        do {
          guard let architecture = try file.architecture() else {
            throw Options.command.usageError(
              "--init \(file.path): expected --layers or --preset, the network that the weights are of, found neither"
            )
          }
          return architecture
        } catch let error as InterchangeError {
          throw MisfitError("--init \(error)", details: error.details)
        }
      }
    }
  }

  /// The model that training starts from, and what to say of it.
  func model(
    _ architecture: Architecture, classes: ClassTable, initialization: Initialization, seed: UInt64
  ) throws -> (model: Model, text: String?) {
    do {
      switch self {
      case .fresh:
        return (try Model(architecture: architecture, initialization: initialization, seed: seed), nil)
      case .checkpoint(let checkpoint):
        let model = try Model(
          fineTuning: checkpoint, as: architecture, classes: classes, initialization: initialization,
          seed: seed)
        return (model, nil)
      case .weights(let file, let normalization):
        let start = try WeightStart(
          file, as: architecture, normalization: normalization, initialization: initialization, seed: seed)
        return (start.model, Self.text(file, architecture, start))
      }
    } catch let error as FineTuningError {
      throw MisfitError("--init: \(error)")
    } catch let error as InterchangeError {
      throw MisfitError("--init \(error)", details: error.details)
    }
  }

  private static func text(_ file: WeightFile, _ architecture: Architecture, _ start: WeightStart) -> String {
    var text = "the weights of \(file.path)"
    if let classes = start.replacedClasses {
      text += "; the last layer, there for \(classes) classes, starts anew"
    }
    if start.model.architecture.layers.count > architecture.layers.count {
      text += "; --mean and --std are a batchnorm in front, which zeros beyond the edge do not go through"
    } else if start.model.architecture != architecture {
      text += "; --mean and --std are folded into the first layer, with a bias for that"
    }
    return text
  }

  private static func requireNone(_ normalization: InputNormalization?) throws(UsageError) {
    guard normalization == nil else {
      throw Options.command.usageError("--mean and --std go with --init and a safetensors or .npz file")
    }
  }

  private static func normalization(_ arguments: ParsedArguments) throws(UsageError) -> InputNormalization? {
    let mean = arguments[Options.mean]
    let deviation = arguments[Options.deviation]
    guard mean != nil || deviation != nil else { return nil }
    guard let mean, let deviation else {
      throw Options.command.usageError("--mean and --std go together: give both")
    }
    return InputNormalization(mean: mean, deviation: deviation)
  }
}
