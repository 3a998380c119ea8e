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
  /// The epochs so far; those of an earlier process with the digits that the file has.
  public private(set) var records: [EpochRecord] = []
  private let path: String
  private var text = Self.header + "\n"

  static let header =
    "epoch,step,learning_rate,train_loss,train_accuracy,validation_loss,validation_accuracy,"
    + "images_per_second,seconds"

  /// The epochs in the file at `path`.
  ///
  /// Throws a `FileError` if it cannot be read, or with the number of the first line that is none of ours.
  public static func read(_ path: String) throws(FileError) -> [EpochRecord] {
    let lines = try lines(of: path)
    func malformed(_ number: Int, _ expected: String) -> FileError {
      let text = lines.isEmpty ? nil : String(decoding: lines[number - 1], as: UTF8.self)
      return FileError(
        .malformed, path: path, line: number, expected: expected,
        found: text.map { "\"\($0)\"" } ?? "an empty file",
        remedy: "name the metrics.csv of a run, or remove the line")
    }
    guard lines.first.map({ $0.elementsEqual(header.utf8) }) ?? false else {
      throw malformed(1, "the header of metrics.csv")
    }
    var records: [EpochRecord] = []
    for (index, line) in lines.enumerated().dropFirst() {
      guard let record = EpochRecord(line: line), record.follows(records.last) else {
        throw malformed(index + 1, "a later epoch than the line before, in nine columns")
      }
      records.append(record)
    }
    return records
  }

  /// The log at `path`, cut back to the first `epochs` epochs, so that a resumed run repeats no line.
  ///
  /// Lines that cannot be read are left out: what they held is gone, and the run can do without.
  init(path: String, epochs: Int) {
    self.path = path
    for line in ((try? Self.lines(of: path)) ?? []).dropFirst() {
      guard let record = EpochRecord(line: line), record.follows(records.last), record.epoch <= epochs
      else { continue }
      add(record, line: String(decoding: line, as: UTF8.self))
    }
  }

  /// Adds an epoch. The file is replaced as a whole: it is small, and so it is never cut off.
  mutating func append(_ record: EpochRecord) throws(FileError) {
    add(record, line: record.line)
    try write()
  }

  func write() throws(FileError) {
    try AtomicFile.write(Array(text.utf8), to: path)
  }

  private mutating func add(_ record: EpochRecord, line: String) {
    records.append(record)
    text += line + "\n"
  }

  private static func lines(of path: String) throws(FileError) -> [ArraySlice<UInt8>] {
    var lines = try FileReader(path: path).readAll()
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

extension EpochRecord {
  fileprivate var line: String {
    func text(_ value: Double?, _ format: String) -> String {
      value.map { String(format: format, $0) } ?? ""
    }
    return [
      "\(epoch)", "\(step)", text(Double(learningRate), "%.6g"),
      text(trainingLoss, "%.6f"), text(trainingAccuracy, "%.6f"),
      text(validationLoss, "%.6f"), text(validationAccuracy, "%.6f"),
      text(imagesPerSecond, "%.0f"), text(seconds, "%.3f"),
    ].joined(separator: ",")
  }

  /// What can be a speed or a time; whole numbers there are exact.
  private static let measurable = 0...0x1p53

  /// What a line of the file says; nil if it is none.
  fileprivate init?(line: ArraySlice<UInt8>) {
    let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard cells.count == 9 else { return nil }
    let numbers = cells.map { Double($0).flatMap { $0.isFinite ? $0 : nil } }
    guard let epoch = Int(cells[0]), epoch > 0, let step = Int(cells[1]), step > 0, let rate = numbers[2],
      let trainingLoss = numbers[3], let trainingAccuracy = numbers[4], let imagesPerSecond = numbers[7],
      let seconds = numbers[8], [imagesPerSecond, seconds].allSatisfy(Self.measurable.contains),
      [5, 6].allSatisfy({ cells[$0].isEmpty || numbers[$0] != nil })
    else { return nil }
    self.init(
      epoch: epoch, step: step, learningRate: Float(rate), trainingLoss: trainingLoss,
      trainingAccuracy: trainingAccuracy, validationLoss: numbers[5], validationAccuracy: numbers[6],
      imagesPerSecond: imagesPerSecond, seconds: seconds)
  }

  fileprivate func follows(_ other: EpochRecord?) -> Bool {
    other.map { epoch > $0.epoch && step > $0.step } ?? true
  }
}
