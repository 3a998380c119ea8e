import Datasets
import Foundation
import Training

/// All that a run folder says of its run.
struct RunRecord {
  let configuration: TrainingConfiguration
  let epochs: [EpochRecord]
  /// Nil while no epoch is complete.
  let best: Checkpoint?
  /// Nil in a folder from before there was such a record.
  let data: DataSummary?

  /// Throws a `FileError` if the folder is none of a run, or if one of its files is damaged.
  init(folder: String) throws(FileError) {
    let files = FileManager.default
    let last = "\(folder)/last.ckpt"
    guard files.fileExists(atPath: last) else {
      throw FileError(
        .missing, path: folder, expected: "the folder of a run, with last.ckpt", found: "none there",
        remedy: "name the folder that inkling-train wrote")
    }
    guard let configuration = try Checkpoint(contentsOf: last).configuration else {
      throw FileError(
        .malformed, path: last, expected: "a checkpoint with the settings of its run", found: "none in it",
        remedy: "name the folder that inkling-train wrote")
    }
    self.configuration = configuration
    func ifThere<Content>(
      _ name: String, _ read: (String) throws(FileError) -> Content
    ) throws(FileError) -> Content? {
      let path = "\(folder)/\(name)"
      return files.fileExists(atPath: path) ? try read(path) : nil
    }
    epochs = try ifThere("metrics.csv", MetricsLog.read) ?? []
    best = try ifThere("best.ckpt") { path throws(FileError) in try Checkpoint(contentsOf: path) }
    data = try ifThere("data.json") { path throws(FileError) in try DataSummary(contentsOf: path) }
  }
}
