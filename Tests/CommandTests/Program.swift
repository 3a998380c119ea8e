import Foundation
import Testing

/// One of the built programs. Tests run it as a process of its own, since that is what its users have.
enum Program: String {
  case train = "inkling-train"
  case evaluate = "inkling-evaluate"
  case export = "inkling-export"
  case benchmark = "inkling-benchmark"
  case info = "inkling-info"
  case dataset = "inkling-dataset"
  case predict = "inkling-predict"
  case benchmarkTraining = "benchmark-training"
  case stepAllocations = "step-allocations"
  case predictAllocations = "predict-allocations"

  /// The executable, which the build leaves beside the test bundle.
  var url: URL {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(rawValue)
    #else
      return Bundle.main.bundleURL.appendingPathComponent(rawValue)
    #endif
  }
}

/// How a process ended, and what it said.
struct Outcome {
  /// The exit status; nil if a signal ended the process.
  let status: Int32?
  let output: String
  let errors: String

  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}

/// A process that is running.
final class RunningProcess {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  /// Ends a process that hangs, so that a fault shows as a failed test.
  private let watchdog: DispatchWorkItem

  /// Starts an executable in `folder`. Standard error goes to `terminal` if one is given, standard input comes from `input`.
  ///
  /// Standard output must stay below a pipe's 64 KiB, for it is read at the end.
  init(
    _ executable: URL, _ arguments: [String], in folder: String, terminal: PseudoTerminal? = nil,
    input: FileHandle = .nullDevice
  ) throws {
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ProcessInfo.processInfo.environment
      .filter { !["COLUMNS", "NO_COLOR"].contains($0.key) }
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = terminal?.device ?? errors
    try process.run()
    try terminal?.device.close()
    let identifier = process.processIdentifier
    watchdog = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: watchdog)
  }

  func send(_ signal: Int32) {
    if process.isRunning { kill(process.processIdentifier, signal) }
  }

  /// Waits until the process has ended.
  func outcome() -> Outcome {
    let isPiped = process.standardError is Pipe
    let errors = isPiped ? self.errors.fileHandleForReading.readDataToEndOfFile() : Data()
    let output = self.output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    watchdog.cancel()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : nil,
      output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self))
  }
}
