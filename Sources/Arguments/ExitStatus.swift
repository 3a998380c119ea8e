/// What a program tells its caller; from 64 on the numbers of BSD's sysexits.h, 130 is a shell's 128 + SIGINT.
public enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The command line is wrong.
  case usage = 64
  /// A file's content is wrong.
  case badData = 65
  /// A file is not there or may not be read.
  case noInput = 66
  /// A fault of the program itself.
  case internalError = 70
  /// A file cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed part-way.
  case ioError = 74
  case interrupted = 130
}

/// An error that knows with which status a program should end because of it.
public protocol ExitStatusProviding: Error {
  var exitStatus: ExitStatus { get }
  /// What is printed below the error's one line, such as a table; nil for most errors.
  var details: String? { get }
}

extension ExitStatusProviding {
  public var details: String? { nil }
}
