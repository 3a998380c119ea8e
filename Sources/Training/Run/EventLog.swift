import Datasets
import Foundation
import Wire

/// The scalars of a run as TensorBoard's event files, one for each process that had something to add.
///
/// A resumed run goes on in a new file, since TensorBoard, once past a file, does not look into it again.
final class EventLog {
  private let folder: String
  private let number: Int
  private let firstStep: Int
  private var file: AppendedFile?
  private var records = EventRecords()

  /// The log in `folder`, each of its files cut back to the steps up to `step`, after which it goes on.
  ///
  /// Nothing is made before there is something to write.
  init(folder: String, upTo step: Int) throws(FileError) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.compactMap(Self.number)
    for number in numbers {
      let path = "\(folder)/\(Self.name(number))"
      let content = try FileReader(path: path).readAll()
      let kept = EventRecords.byteCount(in: content, upTo: step)
      if kept < content.count { try AppendedFile.cutBack(path, to: kept) }
    }
    self.folder = folder
    number = (numbers.max() ?? 0) + 1
    firstStep = step + 1
  }

  /// Adds the scalars of a step by one write, so that a process that is killed leaves all of them or none.
  func append(step: Int, _ scalars: (inout ProtobufWriter) -> Void) throws(FileError) {
    let wallTime = Date().timeIntervalSince1970
    records.removeAll()
    let file: AppendedFile
    if let opened = self.file {
      file = opened
    } else {
      file = try AppendedFile(path: "\(folder)/\(Self.name(number))")
      records.appendVersion(wallTime: wallTime)
      records.appendStart(wallTime: wallTime, step: firstStep)
      self.file = file
    }
    records.appendScalars(wallTime: wallTime, step: step, scalars)
    try file.append(records.bytes)
  }

  /// Waits until all that was added is safe on disk.
  func synchronize() throws(FileError) { try file?.synchronize() }

  /// Names that sort in the order of their numbers.
  private static func name(_ number: Int) -> String {
    "events." + String(format: "%06d", number) + ".tfevents"
  }

  /// The number in a name of ours; nil for other files, which stay as they are.
  private static func number(of name: String) -> Int? {
    let parts = name.split(separator: ".")
    guard parts.count == 3, let number = Int(parts[1]), number > 0, number < Int.max,
      Self.name(number) == name
    else { return nil }
    return number
  }
}
