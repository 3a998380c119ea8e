import Datasets
import Foundation
import Tensors
import Testing

@testable import Training

/// The trainer by itself; killing, resuming and the run folder are tested on the programs, as processes.
@Suite struct TrainerTests {
  /// Images whose one bright row tells their class.
  private func data(shape: ImageShape = ImageShape(channels: 1, height: 4, width: 4)) -> Dataset {
    let labels = (0..<60).map { UInt16($0 % 3) }
    let pixels = labels.flatMap { label in
      (0..<shape.count).map { UInt8($0 / shape.width == Int(label) ? 255 : 10) }
    }
    return Dataset(
      shape: shape, pixels: pixels, labels: labels, classes: ClassTable(values: [0, 1, 2]), source: "rows")
  }

  private func configuration(epochs: Int = 3) -> TrainingConfiguration {
    var result = TrainingConfiguration(
      layers: "dense 3", data: DataLocation(folder: nil), epochs: epochs, batchSize: 20,
      schedule: Schedule(.constant, learningRate: 0.05))
    result.averageDecay = 0.5
    return result
  }

  private func trainer(
    _ configuration: TrainingConfiguration, _ data: Dataset, start: Trainer.Start? = nil
  ) throws -> Trainer {
    let architecture = try Architecture(input: data.shape, parsing: configuration.layers)
    return try Trainer(
      configuration, data: data, start: start ?? .model(try Model(architecture: architecture, seed: 1)),
      threads: 2, folder: nil)
  }

  @Test func learnsAndTellsEachStep() throws {
    var (steps, epochs): ([StepRecord], [EpochRecord]) = ([], [])
    let data = data()
    let trainer = try trainer(configuration(epochs: 20), data)
    let outcome = try trainer.run {
      switch $0 {
      case .step(let record): steps.append(record)
      case .epoch(let record, _): epochs.append(record)
      }
    }
    #expect(outcome == .finished)
    #expect(steps.count == 60 && epochs.map(\.epoch) == Array(1...20))
    #expect(epochs[19].trainingAccuracy == 1 && epochs[19].trainingLoss < epochs[0].trainingLoss)
    #expect(Predictions(of: trainer.model, for: data, threads: 1).accuracy == 1)
  }

  @Test func aSignalStopsAfterTheStep() throws {
    let stop = StopSignal()
    let trainer = try trainer(configuration(), data())
    #expect(try trainer.run(stop: stop) { _ in stop.set() } == .interrupted)
    #expect(trainer.progress.step == 1)
  }

  /// Without validation only the weights themselves tell that the last step went wrong.
  @Test func divergenceInTheLastStepIsNoticed() throws {
    var settings = configuration(epochs: 1)
    settings.layers = "dense 4, dense 3"
    settings.batchSize = 60
    settings.averageDecay = nil
    settings.optimizer = OptimizerSettings(rule: .sgd(momentum: 0, nesterov: false))
    settings.schedule = Schedule(.constant, learningRate: 1e38)
    let trainer = try trainer(settings, data())
    let error = #expect(throws: TrainingError.self) { try trainer.run { _ in } }
    #expect(error == .diverged(epoch: 1, step: 1, learningRate: 1e38))
  }

  @Test func onlyTheStateOfThisTrainingIsResumed() throws {
    let data = data()
    let architecture = try Architecture(input: data.shape, parsing: "dense 3")
    var checkpoint = Checkpoint(model: try Model(architecture: architecture, seed: 1), classes: data.classes)
    checkpoint.progress = TrainingProgress()
    checkpoint.dataChecksum = data.checksum
    checkpoint.average = checkpoint.model.values
    func error() -> TrainingError? {
      do {
        _ = try trainer(configuration(), data, start: .checkpoint(checkpoint))
        return nil
      } catch { return error as? TrainingError }
    }
    #expect(error() == .incompleteCheckpoint)
    checkpoint.optimizerState = Array(repeating: 0, count: 2 * checkpoint.model.table.trainableCount)
    #expect(error() == nil)
    checkpoint.average = []
    #expect(error() == .incompleteCheckpoint)
    checkpoint.average = checkpoint.model.values
    checkpoint.progress?.stepInEpoch = -1
    #expect(error() == .incompleteCheckpoint)
    checkpoint.progress = TrainingProgress()
    // The same bytes as images of another shape are other data.
    checkpoint.dataChecksum = self.data(shape: ImageShape(channels: 1, height: 2, width: 8)).checksum
    #expect(error() == .dataChanged)
  }

  @Test func memoryThatIsNotThereIsNotAskedFor() throws {
    let architecture = try Architecture(input: data().shape, parsing: "conv 1x1 100, relu, dense 3")
    let model = try Model(architecture: architecture, seed: 1)
    func require(_ available: Int) throws {
      try Trainer.requireMemory(for: model, configuration(), batchSize: 60, threads: 2, available: available)
    }
    // 1,600 activations of each of 64 images (60 in whole shards); for each of two workers two regions for their
    // gradients in 16 images, and a product's panel.
    let least = (64 * 1600 + 2 * (2 * 16 * 1600 + MatrixProduct.panelCount)) * 4
    #expect(throws: TrainingError.self) { try require(least) }
    try require(2 * least)
  }
}
