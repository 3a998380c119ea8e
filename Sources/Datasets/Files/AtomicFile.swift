import Foundation

/// A file that appears under its name only once it is complete: written beside, synced, renamed.
///
/// Without `commit()` nothing is left behind and a file that was there before stays as it was.
package final class AtomicFile {
  package let path: String
  private let temporaryPath: String
  private var descriptor: Int32

  /// Whether a file named `name` is what a killed process left of writing the file named `target` beside it.
  package static func isLeftover(_ name: String, of target: String) -> Bool {
    guard name.hasPrefix(target + "."), name.hasSuffix(".tmp") else { return false }
    let numbers = name.dropFirst(target.count + 1).dropLast(4).split(separator: "-")
    return numbers.count == 2 && numbers.allSatisfy { UInt32($0) != nil }
  }

  /// Opens a temporary file beside `path`.
  ///
  /// Throws a `FileError` where that cannot be written, or where `path` is a folder or a device.
  package init(path: String) throws(FileError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw FileError(
        .unwritable, path: path, expected: "the name of a file to write",
        found: status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "a device or a pipe",
        remedy: "choose another name")
    }
    self.path = path
    temporaryPath = "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporaryPath)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    let code = writeAll(bytes, to: descriptor)
    guard code == 0 else { throw failure(code) }
  }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    guard code == 0 else { throw failure(code) }
  }

  /// Puts the complete file in place; nothing can be written afterwards.
  package func commit() throws(FileError) {
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw failure(errno) }
    close(descriptor)
    descriptor = -1
    synchronizeFolder(of: path)
  }

  /// Writes a whole file.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try AtomicFile(path: path)
    try file.write(bytes)
    try file.commit()
  }

  private func failure(_ code: Int32) -> FileError { .unwritable(path: path, code: code) }
}
