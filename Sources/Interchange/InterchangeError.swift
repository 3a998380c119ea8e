/// A model that cannot be written as, or read from, another system's format.
public struct InterchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the place in the model, what was expected, what was found, what to do.
  public let description: String

  public init(_ description: String) { self.description = description }
}
