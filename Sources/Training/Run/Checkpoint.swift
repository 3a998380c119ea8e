import Datasets
import Tensors

/// A model with what is needed to use it, and with `progress` and `optimizerState` to train it further.
public struct Checkpoint: Sendable {
  public var model: Model
  public var classes: ClassTable
  /// How the model is being trained; nil for one that was not trained here.
  public var configuration: TrainingConfiguration?
  public var progress: TrainingProgress?
  /// The optimiser's memory; empty where training does not go on.
  package var optimizerState: [Float] = []
  /// The moving average of the model's numbers; empty where there is none.
  package var average: [Float] = []
  /// CRC-32 of the training images and labels.
  package var dataChecksum: UInt32?
  package var numerics = Numerics.current

  public init(model: Model, classes: ClassTable) {
    self.model = model
    self.classes = classes
  }

  /// What the low bits of a result depend on besides the configuration.
  package struct Numerics: Hashable, Sendable, Codable {
    package var blasCore: String
    /// Nil where the run began before there were kernels of our own.
    package var kernels: String?

    static var current: Numerics { Numerics(blasCore: BLAS.core, kernels: KernelSet.current.name) }

    fileprivate var text: String { "kernels \(kernels ?? "of an earlier version"), BLAS for \(blasCore)" }
  }

  /// What a person should know before training goes on here; nil if the bits will be the same.
  public var numericsWarning: String? {
    let here = Numerics.current
    guard numerics != here else { return nil }
    return
      "this run began on \(numerics.text), here are \(here.text): it goes on, but low bits will differ"
  }

  /// Throws a `TrainingError` unless training by `configuration` can go on from here on this data.
  func requireResumable(
    _ configuration: TrainingConfiguration, data: Dataset
  ) throws(TrainingError) {
    guard dataChecksum == data.checksum, model.architecture.input == data.shape,
      configuration.validationCount < data.count
    else { throw .dataChanged }
    guard holdsTrainingState(of: configuration) else { throw .incompleteCheckpoint }
  }

  /// Whether all is there that training by `configuration` needs in order to go on.
  ///
  /// Plain SGD has no state, so that its weights and its position suffice.
  package func holdsTrainingState(of configuration: TrainingConfiguration) -> Bool {
    guard let progress, progress.isPlausible else { return false }
    return optimizerState.count == configuration.optimizer.rule.stateCount * model.table.trainableCount
      && average.isEmpty == (configuration.averageDecay == nil)
  }

  /// The model as it is to be used: the moving average where there is one.
  public var deployed: Model {
    average.isEmpty ? model : Model(architecture: model.architecture, values: average)
  }
}
