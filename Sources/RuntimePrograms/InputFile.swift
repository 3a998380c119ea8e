import Arguments
import Foundation

/// An input that cannot be used, in one line.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible, ExitStatusProviding {
  public let exitStatus: ExitStatus
  public let description: String

  /// - Parameters:
  ///   - name: the file, with the place in it where that is known.
  ///   - problem: what was expected, what was found, and the remedy.
  public init(_ exitStatus: ExitStatus, name: String, _ problem: String) {
    self.exitStatus = exitStatus
    description = "\(name): \(problem)"
  }
}

/// A file that is named on the command line; `-` is standard input.
public struct InputFile: Hashable, Sendable {
  public let path: String
  /// Larger ones are not read: a device or a pipe without end would fill the memory.
  public static let mostBytes = 1 << 30

  public init(_ path: String) {
    self.path = path
  }

  public var isStandardInput: Bool { path == "-" }

  /// What errors call it.
  public var name: String { isStandardInput ? "standard input" : path }

  public func read() throws(InputError) -> [UInt8] {
    let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY)
    guard descriptor >= 0 else {
      let (found, remedy) =
        errno == ENOENT
        ? ("nothing at this path", "check the path")
        : ("one that cannot be opened (\(String(cString: strerror(errno))))", "check its permissions")
      throw InputError(.noInput, name: name, "expected a readable file, found \(found); \(remedy)")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: !isStandardInput)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw InputError(
        .noInput, name: name,
        "expected a file, found a folder; name the files in it, as in \(path.hasSuffix("/") ? path : path + "/")*.png"
      )
    }
    var bytes: [UInt8] = []
    while bytes.count <= Self.mostBytes {
      let chunk: Data?
      do {
        chunk = try handle.read(upToCount: 1 << 20)
      } catch {
        throw InputError(
          .ioError, name: name, "expected bytes to the end, found an error after \(bytes.count)")
      }
      guard let chunk, !chunk.isEmpty else { return bytes }
      bytes += chunk
    }
    throw InputError(
      .badData, name: name, "expected at most \(Self.mostBytes >> 20) MiB, found more; name a smaller picture"
    )
  }
}
