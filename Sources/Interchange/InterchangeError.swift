/// A model that cannot be written as, or read from, another system's format.
public struct InterchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the place in the model, what was expected, what was found, what to do.
  public let description: String

  /// Lines that show it whole, such as a table of layers; nil for most errors.
  public let details: String?

  public init(_ description: String, details: String? = nil) {
    self.description = description
    self.details = details
  }
}
