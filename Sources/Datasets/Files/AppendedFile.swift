import Foundation

/// A new file that grows by pieces, each of which readers see at once.
package final class AppendedFile {
  package let path: String
  private let descriptor: Int32

  /// Makes the file. Throws a `FileError` where that cannot be, or where there is one.
  package init(path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds bytes. Throws a `FileError` if there is no room; part of them may be in the file then.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    guard code == 0 else { throw .unwritable(path: path, code: code) }
  }

  /// Waits until all that was added is safe on disk.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .unwritable(path: path, code: errno) }
  }

  /// Takes away what a file holds beyond its first bytes, and waits until that is safe on disk.
  package static func cutBack(_ path: String, to byteCount: Int) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(byteCount)) == 0, fsync(descriptor) == 0 else {
      throw .unwritable(path: path, code: errno)
    }
  }
}
