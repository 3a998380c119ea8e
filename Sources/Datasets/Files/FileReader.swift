import Foundation

/// A regular file, open for reading from its start.
package final class FileReader {
  package let path: String
  package let byteCount: Int
  private let descriptor: Int32

  package init(path: String) throws(FileError) {
    // O_NONBLOCK: opening a named pipe would otherwise wait for somebody to write to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.openingError(path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw FileError(
        isFolder ? .malformed : .missing, path: path, expected: "a file",
        found: isFolder ? "a directory" : "a device or a pipe",
        remedy: isFolder ? "name a file in it" : "save the data to a file first")
    }
    self.path = path
    self.byteCount = Int(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Whether the file's first bytes are these, wherever reading has come to.
  package func starts(with prefix: [UInt8]) -> Bool {
    var head = [UInt8](repeating: 0, count: prefix.count)
    return pread(descriptor, &head, head.count, 0) == head.count && head == prefix
  }

  /// Fills the buffer with the next bytes and returns their number, which is short only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    var filled = 0
    while filled < buffer.count {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, start + filled, buffer.count - filled)
      #else
        let count = Foundation.read(descriptor, start + filled, buffer.count - filled)
      #endif
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw FileError(
          .missing, path: path, expected: "a readable file", found: "an error: \(systemMessage(errno))",
          remedy: "check the disk, or copy the file elsewhere")
      }
    }
    return filled
  }

  /// The rest of the file.
  package func readAll() throws(FileError) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: byteCount)
    var (failure, count): (FileError?, Int) = (nil, 0)
    content.withUnsafeMutableBytes { buffer in
      do throws(FileError) { count = try read(into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    content.removeLast(byteCount - count)
    return content
  }

  private static func openingError(path: String, code: Int32) -> FileError {
    let isCompressed = path.hasSuffix(".gz")
    let sibling = isCompressed ? String(path.dropLast(3)) : path + ".gz"
    let remedy =
      if code != ENOENT {
        "check the permissions"
      } else if access(sibling, F_OK) == 0 {
        "did you mean \(sibling)?"
      } else {
        "check the spelling of the path"
      }
    return FileError(
      .missing, path: path, expected: "a readable file",
      found: code == ENOENT ? "nothing at this path" : systemMessage(code), remedy: remedy)
  }
}

/// The system's words for an error number, in lower case as they stand inside a sentence.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
