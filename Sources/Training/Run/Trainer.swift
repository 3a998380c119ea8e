import Datasets
import Foundation
import Tensors

/// Trains a model on a data set by its configuration, and keeps a run folder up to date.
///
/// All that is random is drawn from seed, epoch, step and image, and every sum has a fixed order, so the
/// weights have the same bits for any number of threads, and whether or not the run was interrupted.
public final class Trainer {
  private let configuration: TrainingConfiguration
  private let architecture: Architecture
  private let classes: ClassTable
  private let batches: Batches
  private let validation: [Int32]
  private let folder: RunFolder?
  private var records: RunRecords?
  private let dataChecksum: UInt32
  private let table: ParameterTable
  private let steps: StepRunner
  /// How far training has come.
  public private(set) var progress: TrainingProgress

  /// Where training starts.
  public enum Start: Sendable {
    /// A model's numbers: fresh ones, or those of another run for fine-tuning.
    case model(Model)
    /// The point where an earlier run stopped.
    case checkpoint(Checkpoint)
  }

  /// A trainer; with a folder it writes checkpoints, metrics and event files there.
  ///
  /// Throws a `TrainingError` if a checkpoint cannot be resumed on this data, or if the machine has too little
  /// memory.
  ///
  /// - Precondition: the start's architecture takes the data's images and ends in its classes.
  public init(
    _ configuration: TrainingConfiguration, data: Dataset, start: Start, threads: Int, folder: RunFolder?
  ) throws(TrainingError) {
    let model: Model
    var checkpoint: Checkpoint?
    switch start {
    case .model(let start): model = start
    case .checkpoint(let start):
      try start.requireResumable(configuration, data: data)
      (model, checkpoint) = (start.model, start)
    }
    precondition(
      model.architecture.input == data.shape && model.architecture.output.count == data.classes.count)

    let (training, validation) = data.split(
      validation: configuration.validationCount, seed: configuration.seed)
    let batchSize = min(configuration.batchSize, training.count)
    try Self.requireMemory(for: model, configuration, batchSize: batchSize, threads: threads)
    self.configuration = configuration
    self.validation = validation
    self.folder = folder
    progress = checkpoint?.progress ?? TrainingProgress()
    dataChecksum = data.checksum
    architecture = model.architecture
    classes = data.classes
    table = model.table
    batches = Batches(
      data, members: training, batchSize: configuration.batchSize, seed: configuration.seed,
      augmentation: configuration.augmentation)
    steps = StepRunner(
      model, batches: batches, optimizer: configuration.optimizer, averageDecay: configuration.averageDecay,
      loss: SoftmaxCrossEntropy(
        labelSmoothing: configuration.labelSmoothing,
        classWeights: configuration.balancesClasses ? data.balancedWeights(of: training) : nil),
      threads: threads,
      memory: checkpoint.map { StepRunner.Memory(optimizerState: $0.optimizerState, average: $0.average) })
  }

  /// Throws `TrainingError.tooLarge` if training needs more bytes than `available`.
  static func requireMemory(
    for model: Model, _ configuration: TrainingConfiguration, batchSize: Int, threads: Int,
    available: Int = Int(clamping: ProcessInfo.processInfo.physicalMemory)
  ) throws(TrainingError) {
    // The model, its gradient, the optimiser's state and the average, and a checkpoint of them on its way to disk.
    let copies = 2 * (3 + configuration.optimizer.rule.stateCount)
    let bytes =
      BatchRunner.byteCount(architecture: model.architecture, batchSize: batchSize, threads: threads)
      + copies * model.values.count * MemoryLayout<Float>.size
    guard bytes < available else { throw .tooLarge(bytes: bytes, available: available) }
  }

  /// Trains until the last epoch, or until patience or the stop signal ends it.
  ///
  /// Throws a `TrainingError` if the loss is no longer finite, or a `FileError` if the folder cannot be written;
  /// earlier checkpoints stay as they were.
  public func run(stop: StopSignal? = nil, report: (TrainingEvent) -> Void) throws -> TrainingOutcome {
    if let folder {
      // From here on the run can be resumed, and its records hold nothing that the checkpoint does not know.
      try checkpoint().write(to: folder.lastPath)
      try folder.writeConfiguration(configuration)
      try folder.writeSummary(
        DataSummary(
          batches.dataset, training: batches.members, validation: validation, checksum: dataChecksum))
      records = try RunRecords(in: folder, upTo: progress)
    }
    while progress.epoch < configuration.epochs {
      if let patience = configuration.patience, let best = progress.bestEpoch,
        progress.epoch - best >= patience
      {
        return .stoppedEarly
      }
      let clock = ContinuousClock()
      let start = clock.now
      let (imagesBefore, stepBefore) = (progress.imagesSeen, progress.stepInEpoch)
      let isComplete = try runEpoch(stop: stop) {
        let elapsed = (clock.now - start) / .seconds(1)
        let stepsLeft = batches.stepsPerEpoch * (configuration.epochs - progress.epoch) - progress.stepInEpoch
        report(
          .step(
            StepRecord(
              epoch: progress.epoch + 1, step: progress.stepInEpoch, stepsPerEpoch: batches.stepsPerEpoch,
              loss: progress.lossSum / Double(progress.imagesSeen),
              accuracy: Double(progress.correct) / Double(progress.imagesSeen),
              imagesPerSecond: Double(progress.imagesSeen - imagesBefore) / elapsed,
              secondsLeft: elapsed / Double(progress.stepInEpoch - stepBefore) * Double(stepsLeft))))
      }
      guard isComplete else {
        if let folder {
          try records?.synchronize()
          try checkpoint().write(to: folder.lastPath)
        }
        return .interrupted
      }
      let seconds = (clock.now - start) / .seconds(1)
      try finishEpoch(seconds: seconds, images: progress.imagesSeen - imagesBefore, report: report)
    }
    return .finished
  }

  /// The model as it stands: the moving average where there is one.
  public var model: Model { checkpoint().deployed }

  /// Goes on with the unfinished epoch. Returns false if the stop signal ended it.
  private func runEpoch(stop: StopSignal?, afterStep: () -> Void) throws -> Bool {
    let epoch = progress.epoch
    let order = batches.order(epoch: epoch)
    while progress.stepInEpoch < batches.stepsPerEpoch {
      if let stop, stop.isSet { return false }
      let members = order[batches.range(step: progress.stepInEpoch)]
      let rate = configuration.schedule.rate(
        step: progress.step, stepsPerEpoch: batches.stepsPerEpoch, epochs: configuration.epochs)
      let outcome = steps.differentiate(members, epoch: epoch, step: progress.step)
      guard outcome.loss.isFinite else {
        throw TrainingError.diverged(epoch: epoch + 1, step: progress.step + 1, learningRate: rate)
      }
      steps.update(step: progress.step, rate: rate)
      progress.step += 1
      progress.stepInEpoch += 1
      progress.lossSum += outcome.loss * Double(members.count)
      progress.correct += outcome.correct
      progress.imagesSeen += members.count
      try records?.append(step: progress.step, loss: outcome.loss, learningRate: rate)
      afterStep()
    }
    return true
  }

  /// Validates, and writes what the epoch gave: the records and the best model first, so that a resumed run that
  /// finds them ahead of `last.ckpt` only writes them again.
  private func finishEpoch(seconds: Double, images: Int, report: (TrainingEvent) -> Void) throws {
    let rate = configuration.schedule.rate(
      step: progress.step - 1, stepsPerEpoch: batches.stepsPerEpoch, epochs: configuration.epochs)
    let validated = validation.isEmpty ? nil : judge(validation)
    // The epoch's last step is in no loss yet: without validation a few training images tell whether it diverged.
    let finalLoss = validated?.loss ?? judge(Array(batches.members.prefix(ExecutionPlan.shardSize))).loss
    guard finalLoss.isFinite else {
      throw TrainingError.diverged(epoch: progress.epoch + 1, step: progress.step, learningRate: rate)
    }
    let seen = Double(progress.imagesSeen)
    let record = EpochRecord(
      epoch: progress.epoch + 1, step: progress.step, learningRate: rate,
      trainingLoss: progress.lossSum / seen, trainingAccuracy: Double(progress.correct) / seen,
      validationLoss: validated?.loss, validationAccuracy: validated?.accuracy,
      imagesPerSecond: Double(images) / seconds, seconds: seconds)
    progress.epoch += 1
    (progress.stepInEpoch, progress.imagesSeen) = (0, 0)
    (progress.lossSum, progress.correct) = (0, 0)
    // Without validation the last epoch counts as the best.
    let isBest = validated.map { progress.isImprovement(accuracy: $0.accuracy, loss: $0.loss) } ?? true
    if isBest {
      progress.bestEpoch = progress.epoch
      progress.bestAccuracy = validated?.accuracy
      progress.bestLoss = validated?.loss
    }
    if let folder {
      let checkpoint = checkpoint()
      try records?.append(record)
      try records?.synchronize()
      if isBest {
        var best = Checkpoint(model: checkpoint.deployed, classes: classes)
        best.configuration = configuration
        best.progress = progress
        best.dataChecksum = dataChecksum
        try best.write(to: folder.bestPath)
      }
      try checkpoint.write(to: folder.lastPath)
    }
    report(.epoch(record, isBest: isBest))
  }

  /// How good the model that would be deployed is on the given images.
  private func judge(_ members: [Int32]) -> (loss: Double, accuracy: Double) {
    let predictions = Predictions(
      runner: steps.runner, values: (steps.average ?? steps.values).values, data: batches.dataset,
      members: members)
    return (predictions.meanLoss, predictions.accuracy)
  }

  private func checkpoint() -> Checkpoint {
    var checkpoint = Checkpoint(
      model: Model(architecture: architecture, values: steps.values.array(table.count)), classes: classes)
    checkpoint.configuration = configuration
    checkpoint.progress = progress
    checkpoint.optimizerState = steps.state.array(steps.stateCount)
    checkpoint.average = steps.average?.array(table.count) ?? []
    checkpoint.dataChecksum = dataChecksum
    return checkpoint
  }
}
