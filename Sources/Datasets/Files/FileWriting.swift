import Foundation

/// Writes all bytes to a descriptor; returns 0, or the error's number.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  guard let start = bytes.baseAddress else { return 0 }
  var written = 0
  while written < bytes.count {
    #if canImport(Darwin)
      let count = Darwin.write(descriptor, start + written, bytes.count - written)
    #else
      let count = Foundation.write(descriptor, start + written, bytes.count - written)
    #endif
    if count >= 0 { written += count } else if errno != EINTR { return errno }
  }
  return 0
}

/// Has the folder in which `path` got its name reach the disk as well.
func synchronizeFolder(of path: String) {
  let cut = path.lastIndex(of: "/")
  let folder = open(cut.map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
  if folder >= 0 {
    fsync(folder)
    close(folder)
  }
}

extension FileError {
  /// What the system's refusal to write a file comes to; `code` is its error number.
  static func unwritable(path: String, code: Int32) -> FileError {
    FileError(
      .unwritable, path: path, expected: "a place that can be written", found: systemMessage(code),
      remedy: code == ENOENT ? "create its folder first" : "check permissions and free space")
  }
}
