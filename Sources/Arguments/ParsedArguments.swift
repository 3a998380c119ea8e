/// The values of a command line that was found in order.
public struct ParsedArguments: Sendable {
  /// What is neither an option nor its value, in order; as many as the command's ``Operands`` allow.
  public let operands: [String]
  /// The text by option name; empty for a flag.
  private let texts: [String: String]
  private let declared: Set<String>

  init(operands: [String], texts: [String: String], declared: Set<String>) {
    self.operands = operands
    self.texts = texts
    self.declared = declared
  }

  /// The value given, or the default.
  ///
  /// - Precondition: the command lists the option.
  public subscript<Value>(option: Option<Value>) -> Value {
    if let value = text(of: option).flatMap(option.read) ?? option.fallback { return value }
    // The parser has seen to it that a required option is there and its text is a value.
    preconditionFailure("--\(option.name) is required and was not checked")
  }

  /// Whether the flag is given.
  ///
  /// - Precondition: the command lists the flag.
  public subscript(flag: Flag) -> Bool { isGiven(flag) }

  /// Whether the option is on the command line, be it with its default value.
  ///
  /// - Precondition: the command lists the option.
  public func isGiven(_ option: some CommandOption) -> Bool { text(of: option) != nil }

  /// The names of the options and flags on the command line, in alphabetical order.
  public var givenNames: [String] { texts.keys.sorted() }

  private func text(of option: some CommandOption) -> String? {
    precondition(declared.contains(option.name), "the command does not list --\(option.name)")
    return texts[option.name]
  }
}
