/// A command line that cannot be obeyed; prints as one line that ends with where to look.
public struct UsageError: Error, Hashable, Sendable, ExitStatusProviding {
  public let message: String
  /// The program's name.
  public let command: String

  public init(_ message: String, command: String) {
    self.message = message
    self.command = command
  }

  public var exitStatus: ExitStatus { .usage }
}

extension UsageError: CustomStringConvertible {
  public var description: String { "\(message); see \(command) --help" }
}
