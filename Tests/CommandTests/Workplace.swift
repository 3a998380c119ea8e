import Datasets
import Foundation
import Tensors
import Testing

@testable import Training

/// A folder in which a test runs the programs, gone when the test is.
final class Workplace {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The 5,000 digits that come with the repository.
  static let digits = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Data/mnist-5k").path

  func start(_ program: Program, _ arguments: [String], on terminal: PseudoTerminal? = nil) throws
    -> RunningProcess
  {
    try RunningProcess(program.url, arguments, in: path, terminal: terminal)
  }

  func run(_ program: Program, _ arguments: [String]) throws -> Outcome {
    try start(program, arguments).outcome()
  }

  /// Runs a program that may write no file beyond `blocks` of 512 bytes, as if the disk were full.
  func run(_ program: Program, _ arguments: [String], fileBlocks blocks: Int) throws -> Outcome {
    let script = "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""
    return try RunningProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script, program.url.path] + arguments, in: path
    ).outcome()
  }

  /// Trains, and expects that to succeed.
  @discardableResult
  func train(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Outcome {
    let outcome = try run(.train, arguments)
    try #require(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Evaluates as JSON, and expects that to succeed.
  func evaluation(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> EvaluationJSON {
    let outcome = try run(.evaluate, arguments + ["--json"])
    try #require(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    return try JSONDecoder().decode(EvaluationJSON.self, from: Data(outcome.output.utf8))
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
  }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")) }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }

  func checkpoint(_ name: String) throws -> Checkpoint { try Checkpoint(contentsOf: "\(path)/\(name)") }

  /// The rows of a run's metrics, cell by cell, the header first.
  func metrics(_ run: String) throws -> [[Substring]] {
    String(decoding: try bytes("\(run)/metrics.csv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  /// The metrics without what depends on the clock: the last two columns.
  func repeatableMetrics(_ run: String) throws -> [[Substring]] { try metrics(run).map { $0.dropLast(2) } }
}
