/// What a command's list of options holds: an ``Option`` or a ``Flag``.
public protocol CommandOption: Sendable {
  /// Without the dashes, such as "epochs".
  var name: String { get }
  /// What stands for the value in the help, such as "N"; nil where the option takes none.
  var placeholder: String? { get }
  /// What the option is for, one or two sentences.
  var help: String { get }
  /// The choices and the default, for the help.
  var note: String? { get }
  /// Whether leaving the option out is an error.
  var isRequired: Bool { get }
  /// Completes "expected …" where the value is missing or refused.
  var expected: String { get }
  func accepts(_ text: String) -> Bool
}

/// An option with a value: `--epochs 10` or `--epochs=10`.
///
/// ```swift
/// static let data = Option("data", value: "DIR", default: "Data/mnist-5k", help: "Folder with the IDX files.")
/// static let epochs = Option("epochs", value: "N", default: 10, in: 1...100_000, help: "Passes over the data.")
/// static let resume = Option<String?>("resume", value: "RUN", help: "A run to go on with.")
/// static let model = Option<String>("model", value: "FILE", help: "The model to measure.")
/// ```
///
/// An optional value has no default; any other without a default is required.
public struct Option<Value: Sendable>: CommandOption {
  public let name: String
  public let placeholder: String?
  public let help: String
  public let note: String?
  public let expected: String
  let read: @Sendable (String) -> Value?
  /// What an option that is not given means; nil where it has to be given.
  let fallback: Value?

  public init(
    _ name: String, value placeholder: String, default: Value? = nil, format: ValueFormat<Value>, help: String
  ) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
    let state = `default`.map { "default: \(format.text($0))" } ?? "required"
    note = Self.note(choices: format.choices, state)
    expected = format.expected
    read = format.read
    fallback = `default`
  }

  /// - Parameter otherwise: what happens where an optional value is not given, for the help.
  public init<Wrapped>(
    _ name: String, value placeholder: String, format: ValueFormat<Wrapped>, otherwise: String = "none",
    help: String
  ) where Value == Wrapped? {
    self.name = name
    self.placeholder = placeholder
    self.help = help
    note = Self.note(choices: format.choices, "default: \(otherwise)")
    expected = format.expected
    read = { text in format.read(text).map { .some($0) } }
    fallback = .some(nil)
  }

  public var isRequired: Bool { fallback == nil }

  public func accepts(_ text: String) -> Bool { read(text) != nil }

  private static func note(choices: [String], _ state: String) -> String {
    choices.isEmpty ? state : "\(choices.joined(separator: ", ")); \(state)"
  }
}

/// An option without a value: it is given or not.
public struct Flag: CommandOption {
  public let name: String
  public let help: String

  public init(_ name: String, help: String) {
    self.name = name
    self.help = help
  }

  public var placeholder: String? { nil }
  public var note: String? { nil }
  public var isRequired: Bool { false }
  public var expected: String { "no value" }
  public func accepts(_ text: String) -> Bool { false }
}
