import Foundation
import PlainText

/// A new folder that appears under its name only once it is complete: filled beside, renamed.
///
/// Without `commit()` nothing is left behind. A folder that is there already may only be an empty one.
package final class AtomicFolder {
  package let path: String
  /// Where to write the files.
  package let temporaryPath: String
  private var isCommitted = false

  /// Makes a temporary folder beside `path`, and the folders above it.
  ///
  /// Throws a `FileError` where that cannot be, or where `path` is there and not an empty folder.
  package init(path: String) throws(FileError) {
    try Self.requireFree(path)
    let plain = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    self.path = path
    target = plain
    temporaryPath = "\(plain).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    let parent = (plain as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    } catch {
      throw FileError(
        .unwritable, path: path, expected: "a folder that can be made",
        found: "\((parent as NSString).lastPathComponent.quoted) above it, which cannot",
        remedy: "choose another place")
    }
    guard mkdir(temporaryPath, 0o777) == 0 else { throw .unwritable(path: path, code: errno) }
  }

  /// The path without links.
  private let target: String

  /// Throws a `FileError` if there is something at `path` that a new folder would replace.
  package static func requireFree(_ path: String) throws(FileError) {
    func error(_ found: String) -> FileError {
      FileError(
        .unwritable, path: path, expected: "a new or an empty folder", found: found,
        remedy: "choose another place, or remove it first")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw error("a file") }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    guard names.isEmpty else {
      throw error("one with \(names.count == 1 ? "something" : "\(names.count.groupedDigits) things") in it")
    }
    var here = stat()
    guard stat(".", &here) != 0 || (here.st_dev, here.st_ino) != (status.st_dev, status.st_ino) else {
      throw error("the folder that the program was started in")
    }
  }

  deinit {
    if !isCommitted { try? FileManager.default.removeItem(atPath: temporaryPath) }
  }

  /// Puts the complete folder in place.
  package func commit() throws(FileError) {
    // Replaces an empty folder, and no other.
    guard rename(temporaryPath, target) == 0 else { throw .unwritable(path: path, code: errno) }
    isCommitted = true
    synchronizeFolder(of: target)
  }
}
