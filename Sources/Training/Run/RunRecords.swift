import Datasets
import Foundation

/// What a run folder tells of a run's course: `metrics.csv`, a line an epoch, the same as a picture, and event
/// files, finer.
///
/// No step stands twice in any of them, whenever the process ends: a record is written before the checkpoint
/// that knows of it, and whoever goes on from a checkpoint first cuts off what it does not know.
struct RunRecords {
  /// Steps from one record of a batch to the next.
  private static let stepInterval = 10

  private var metrics: MetricsLog
  private let events: EventLog
  private let curvePath: String

  /// The records in a folder, cut back to where a checkpoint stands.
  init(in folder: RunFolder, upTo progress: TrainingProgress) throws(FileError) {
    metrics = MetricsLog(path: folder.metricsPath, epochs: progress.epoch)
    events = try EventLog(folder: folder.path, upTo: progress.step)
    curvePath = folder.curvePath
    try metrics.write()
    try writeCurve()
  }

  /// Adds a step, counted from 1 over the run, if it is one of those that are recorded.
  func append(step: Int, loss: Double, learningRate: Float) throws(FileError) {
    guard step.isMultiple(of: Self.stepInterval) else { return }
    try events.append(step: step) {
      $0.scalar("batch/loss", loss)
      $0.scalar("batch/learning_rate", Double(learningRate))
    }
  }

  /// Adds an epoch.
  mutating func append(_ record: EpochRecord) throws(FileError) {
    // The first part of a tag is TensorBoard's group: training and validation stand side by side.
    try events.append(step: record.step) {
      $0.scalar("loss/train", record.trainingLoss)
      $0.scalar("accuracy/train", record.trainingAccuracy)
      if let loss = record.validationLoss { $0.scalar("loss/validation", loss) }
      if let accuracy = record.validationAccuracy { $0.scalar("accuracy/validation", accuracy) }
      $0.scalar("epoch/learning_rate", Double(record.learningRate))
      $0.scalar("epoch/images_per_second", record.imagesPerSecond)
    }
    try metrics.append(record)
    try writeCurve()
  }

  private func writeCurve() throws(FileError) {
    if metrics.records.isEmpty {
      // One from epochs that were not kept.
      unlink(curvePath)
    } else {
      try AtomicFile.write(Array(LearningCurve(metrics.records).svg.utf8), to: curvePath)
    }
  }

  /// Waits until all that was added is safe on disk; due before a checkpoint is written.
  func synchronize() throws(FileError) { try events.synchronize() }
}
