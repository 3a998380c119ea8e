import Datasets
import Foundation
import Testing

@testable import Training

@Suite final class EventLogTests {
  private let folder = NSTemporaryDirectory() + "inkling-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  /// Adds steps to a log, and returns its file's length after each.
  private func append(_ steps: [Int], to log: EventLog, file: String) throws -> [Int] {
    try steps.map { step in
      try log.append(step: step) { $0.scalar("a", Double(step)) }
      return try bytes(file).count
    }
  }

  @Test func makesNoFileBeforeThereIsSomethingToWrite() throws {
    let log = try EventLog(folder: folder, upTo: 0)
    try log.synchronize()
    #expect(try names == [])
    try log.append(step: 1) { $0.scalar("a", 1) }
    try log.synchronize()
    #expect(try names == ["events.000001.tfevents"])
  }

  @Test func goesOnInTheNextFileFromTheCheckpoint() throws {
    let (first, second) = ("events.000001.tfevents", "events.000002.tfevents")
    let log = try EventLog(folder: folder, upTo: 0)
    let ends = try append([10, 20, 30], to: log, file: first)
    let whole = try bytes(first)

    let resumed = try EventLog(folder: folder, upTo: 25)
    #expect(try bytes(first) == Array(whole[..<ends[1]]))
    #expect(try names == [first])
    _ = try append([30], to: resumed, file: second)
    #expect(try bytes(first) == Array(whole[..<ends[1]]))
    // The version and the start of step 26 come before the first scalars.
    let head = try bytes(second)
    #expect(EventRecords.byteCount(in: head, upTo: 25) == EventRecords.byteCount(in: head, upTo: 0))
    #expect(EventRecords.byteCount(in: head, upTo: 26) > EventRecords.byteCount(in: head, upTo: 25))
    #expect(EventRecords.byteCount(in: head, upTo: 29) == EventRecords.byteCount(in: head, upTo: 26))
    #expect(EventRecords.byteCount(in: head, upTo: 30) == head.count)

    // Once more from the same checkpoint: the second file keeps its version alone.
    let again = try EventLog(folder: folder, upTo: 25)
    #expect(try bytes(second) == Array(head[..<EventRecords.byteCount(in: head, upTo: 0)]))
    _ = try append([30, 40], to: again, file: "events.000003.tfevents")
    #expect(try names == [first, second, "events.000003.tfevents"])
  }

  @Test func cutsOffTheRecordThatAKilledProcessLeftUnfinished() throws {
    let name = "events.000007.tfevents"
    var records = EventRecords()
    records.appendScalars(wallTime: 0, step: 5) { $0.scalar("a", 1) }
    let whole = records.bytes
    for part in [[], Array(whole.dropLast()), Array(whole.prefix(3))] {
      try Data(whole + part).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      _ = try EventLog(folder: folder, upTo: 5)
      #expect(try bytes(name) == whole)
    }
  }

  /// A file that need not be cut is not touched, nor is one of another program's.
  @Test func leavesOtherFilesAlone() throws {
    let others = [
      "events.out.tfevents.1700000000.host", "events.1.tfevents", "events.-00001.tfevents", "events.tfevents",
      "events.000000.tfevents", "events.000001.tfevents.v2", "notes",
    ]
    for name in others { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    let log = try EventLog(folder: folder, upTo: 0)
    try log.append(step: 1) { $0.scalar("a", 1) }
    for name in others { #expect(try bytes(name) == [1, 2, 3]) }
    #expect(try Set(names) == Set(others + ["events.000001.tfevents"]))
  }

  @Test func saysWhichFileCannotBeWritten() throws {
    let log = try EventLog(folder: folder, upTo: 0)
    try FileManager.default.removeItem(atPath: folder)
    let error = #expect(throws: FileError.self) { try log.append(step: 1) { $0.scalar("a", 1) } }
    #expect(error?.kind == .unwritable && error?.path == "\(folder)/events.000001.tfevents")
  }
}
