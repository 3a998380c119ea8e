import Datasets
import Foundation

/// What an epoch of training gave.
public struct EpochRecord: Hashable, Sendable {
  /// From 1.
  public var epoch: Int
  /// Steps of the optimiser since the start.
  public var step: Int
  public var learningRate: Float
  public var trainingLoss: Double
  public var trainingAccuracy: Double
  /// Nil without a validation split.
  public var validationLoss: Double?
  public var validationAccuracy: Double?
  public var imagesPerSecond: Double
  /// Time spent on the epoch by the process that finished it.
  public var seconds: Double
}

/// The epochs of a run as `metrics.csv`: one line each below a header.
public struct MetricsLog: Sendable {
  private let path: String
  private var rows: [String]

  static let header =
    "epoch,step,learning_rate,train_loss,train_accuracy,validation_loss,validation_accuracy,"
    + "images_per_second,seconds"

  /// The log at `path`, cut back to the first `epochs` epochs, so that a resumed run repeats no line.
  init(path: String, epochs: Int) {
    self.path = path
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    rows = text.split(separator: "\n").dropFirst().map(String.init).filter { row in
      row.split(separator: ",").first.flatMap { Int($0) }.map { $0 <= epochs } ?? false
    }
  }

  /// Adds an epoch. The file is replaced as a whole: it is small, and so it is never cut off.
  mutating func append(_ record: EpochRecord) throws(FileError) {
    func text(_ value: Double?, _ format: String) -> String {
      value.map { String(format: format, $0) } ?? ""
    }
    rows.append(
      [
        "\(record.epoch)", "\(record.step)", text(Double(record.learningRate), "%.6g"),
        text(record.trainingLoss, "%.6f"), text(record.trainingAccuracy, "%.6f"),
        text(record.validationLoss, "%.6f"), text(record.validationAccuracy, "%.6f"),
        text(record.imagesPerSecond, "%.0f"), text(record.seconds, "%.3f"),
      ].joined(separator: ","))
    try write()
  }

  func write() throws(FileError) {
    let file = try AtomicFile(path: path)
    try file.write(Array(([Self.header] + rows).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")])
    try file.commit()
  }
}
