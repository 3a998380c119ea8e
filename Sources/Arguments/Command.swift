/// The version that `--version` prints.
public let inklingVersion = "0.1.0"

/// A program's command line: what it takes, and what it says about itself.
///
/// ```swift
/// static let command = Command(
///   "inkling-train", summary: "Trains an image classifier.",
///   sections: [.init("Data", [Options.data]), .init("Training", [Options.epochs, Options.resume])],
///   examples: ["inkling-train --data Data/mnist-5k --epochs 3"])
///
/// command.run { arguments in
///   try train(folder: arguments[Options.data], epochs: arguments[Options.epochs])
/// }
/// ```
public struct Command: Sendable {
  /// Options that belong together, under one title in the help.
  public struct Section: Sendable {
    public let title: String
    public let options: [any CommandOption]

    public init(_ title: String, _ options: [any CommandOption]) {
      self.title = title
      self.options = options
    }
  }

  public let name: String
  let version: String
  let summary: String
  let operands: Operands
  /// Ends with the section of `--help` and `--version`.
  let sections: [Section]
  let examples: [String]

  static let help = Flag("help", help: "Print this help.")
  static let version = Flag("version", help: "Print the version.")

  /// - Precondition: no two options share a name, and none is named `help` or `version`.
  public init(
    _ name: String, version: String = inklingVersion, summary: String, operands: Operands = .none,
    sections: [Section], examples: [String]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.operands = operands
    self.sections = sections + [Section("General", [Self.help, Self.version])]
    self.examples = examples
    let names = self.sections.flatMap(\.options).map(\.name)
    precondition(Set(names).count == names.count, "\(name) declares an option twice")
  }

  public init(
    _ name: String, version: String = inklingVersion, summary: String, operands: Operands = .none,
    options: [any CommandOption], examples: [String]
  ) {
    self.init(
      name, version: version, summary: summary, operands: operands,
      sections: [Section("Options", options)], examples: examples)
  }

  /// An error about this command's arguments, such as two options that exclude each other.
  public func usageError(_ message: String) -> UsageError {
    UsageError(message, command: name)
  }
}

/// The arguments that are no options, such as files.
public struct Operands: Sendable {
  let placeholder: String
  let count: ClosedRange<Int>
  let help: String

  /// - Parameter count: how many may be given, such as `1...1` or `0...Int.max`.
  public init(_ placeholder: String, count: ClosedRange<Int>, help: String) {
    self.placeholder = placeholder
    self.count = count
    self.help = help
  }

  public static let none = Operands("", count: 0...0, help: "")
}
