import Datasets
import Foundation

/// The folder of one training run: settings and data in words, records of its course, `best.ckpt` and `last.ckpt`.
///
/// While it is open no other process can write to it.
public final class RunFolder {
  public let path: String
  private let lock: Int32

  public var configurationPath: String { path + "/configuration.json" }
  public var dataPath: String { path + "/data.json" }
  public var metricsPath: String { path + "/metrics.csv" }
  public var curvePath: String { path + "/learning-curve.svg" }
  public var bestPath: String { path + "/best.ckpt" }
  public var lastPath: String { path + "/last.ckpt" }

  /// The checkpoint to use of a model given as a file or as a run folder.
  ///
  /// Throws a `FileError` for a folder without a best model; a file is not looked at.
  public static func modelPath(_ path: String) throws(FileError) -> String {
    guard isFolder(path) else { return path }
    guard FileManager.default.fileExists(atPath: path + "/best.ckpt") else {
      let isBegun = FileManager.default.fileExists(atPath: path + "/last.ckpt")
      throw FileError(
        .missing, path: path, expected: "the folder of a run, with best.ckpt",
        found: isBegun ? "a run that has not completed an epoch" : "no checkpoint in it",
        remedy: isBegun
          ? "go on with inkling-train --resume \(path)" : "name a run folder or a .ckpt file")
    }
    return (path as NSString).appendingPathComponent("best.ckpt")
  }

  /// Makes a folder for a new run. Throws a `FileError` if there is a run already or it cannot be made.
  public static func create(_ path: String) throws(FileError) -> RunFolder {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw FileError(
        .unwritable, path: path, expected: "a folder that can be made",
        found: isFolder(path) ? "one that cannot be written" : reason(error),
        remedy: "choose another place with --output")
    }
    let folder = try RunFolder(locking: path)
    for file in [folder.lastPath, folder.bestPath] where FileManager.default.fileExists(atPath: file) {
      throw FileError(
        .unwritable, path: path, expected: "a folder without a run", found: "an earlier run",
        remedy: "continue it with --resume \(path), or choose another --output")
    }
    return folder
  }

  /// Opens the folder of an earlier run. Throws a `FileError` if there is none.
  public static func open(_ path: String) throws(FileError) -> RunFolder {
    guard isFolder(path), FileManager.default.fileExists(atPath: path + "/last.ckpt") else {
      throw FileError(
        .missing, path: path, expected: "the folder of a run",
        found: isFolder(path) ? "no last.ckpt in it" : "no such folder",
        remedy: "start a run with --output \(path)")
    }
    return try RunFolder(locking: path)
  }

  private init(locking path: String) throws(FileError) {
    let lockPath = path + "/.lock"
    lock = Foundation.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    self.path = path
    guard lock >= 0 else {
      throw FileError(
        .unwritable, path: path, expected: "a folder that can be written", found: systemMessage(errno),
        remedy: "check its permissions, or choose another --output")
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw FileError(
        .unwritable, path: path, expected: "a run of its own",
        found: errno == EWOULDBLOCK ? "another process training there" : systemMessage(errno),
        remedy: "wait for it, or choose another --output")
    }
    removeLeftovers()
  }

  deinit {
    if lock >= 0 { close(lock) }
  }

  /// Writes the settings for people to read; resuming goes by the checkpoint's own.
  public func writeConfiguration(_ configuration: TrainingConfiguration) throws(FileError) {
    try write(configuration, to: configurationPath)
  }

  /// Writes what the run is trained on.
  func writeSummary(_ data: DataSummary) throws(FileError) { try write(data, to: dataPath) }

  private func write(_ content: some Encodable, to path: String) throws(FileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(content) else {
      throw FileError(
        .unwritable, path: path, expected: "settings that JSON can hold", found: "an infinite number")
    }
    try AtomicFile.write(Array(json) + [UInt8(ascii: "\n")], to: path)
  }

  /// Removes files that a killed process was still writing.
  private func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let ours = [configurationPath, dataPath, metricsPath, curvePath, bestPath, lastPath].map {
      ($0 as NSString).lastPathComponent
    }
    for name in names where ours.contains(where: { AtomicFile.isLeftover(name, of: $0) }) {
      try? FileManager.default.removeItem(atPath: path + "/" + name)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func reason(_ error: any Error) -> String {
    // By way of Error: on Linux the underlying error is a POSIXError, which no direct cast makes an NSError.
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    return underlying.map { systemMessage(Int32(($0 as NSError).code)) } ?? "an error"
  }
}
