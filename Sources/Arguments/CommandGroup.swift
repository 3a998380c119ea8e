import PlainText

/// A program of several commands, of which its first argument names one: `inkling-dataset info Data/mnist-5k`.
///
/// ```swift
/// CommandGroup(
///   "inkling-dataset", summary: "Makes and shows data sets.",
///   commands: [.init(info) { arguments in … }, .init(show) { arguments in … }],
///   examples: ["inkling-dataset info Data/mnist-5k"]
/// ).run()
/// ```
public struct CommandGroup {
  /// A command and what it does.
  public struct Member {
    let command: Command
    let work: (ParsedArguments) throws -> Void

    /// - Parameters:
    ///   - command: named after the program and itself, such as "inkling-dataset info".
    ///   - work: what it does; see `Command.run`.
    public init(_ command: Command, _ work: @escaping (ParsedArguments) throws -> Void) {
      self.command = command
      self.work = work
    }

    /// What is typed after the program's name.
    var word: String { command.name.split(separator: " ").last.map(String.init) ?? "" }
  }

  private let name: String
  private let version: String
  private let summary: String
  private let members: [Member]
  private let examples: [String]

  /// - Precondition: the commands are named after the program.
  public init(
    _ name: String, version: String = inklingVersion, summary: String, commands: [Member], examples: [String]
  ) {
    precondition(commands.allSatisfy { $0.command.name == "\(name) \($0.word)" })
    self.name = name
    self.version = version
    self.summary = summary
    members = commands
    self.examples = examples
  }

  /// Runs the command that the first argument names, as `Command.run` does, and ends the process.
  public func run() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let member = member(of: arguments) { member.command.run(arguments.dropFirst(), member.work) }
    Invocation(name: name, version: version, helpText: helpText).run(arguments) { _ in
      throw complaint(about: arguments.first)
    }
  }

  /// `run` without the process.
  func execute(_ arguments: [String], output: (String) -> Void, report: (String) -> Void) -> ExitStatus {
    if let member = member(of: arguments) {
      return member.command.execute(
        Array(arguments.dropFirst()), output: output, report: report, member.work)
    }
    return Invocation(name: name, version: version, helpText: helpText)
      .execute(arguments, output: output, report: report) { _ in throw complaint(about: arguments.first) }
  }

  private func member(of arguments: [String]) -> Member? {
    members.first { $0.word == arguments.first }
  }

  private func complaint(about word: String?) -> UsageError {
    let words = members.map(\.word)
    let near = word.flatMap { nearest(to: $0, among: words) }.map { "; did you mean \($0)?" } ?? ""
    return UsageError(
      "expected a command, one of \(words.joined(separator: ", ")), found \(word?.quoted ?? "none")\(near)",
      command: name)
  }

  /// What `--help` prints where no command is named.
  var helpText: String {
    var lines = wrap(summary, columns: Command.columns) + ["", "Usage: \(name) COMMAND [options]"]
    lines += ["", "Commands:"] + members.flatMap { Command.entry($0.word, $0.command.summary) }
    lines += ["", "General:"] + [Command.help, Command.version].flatMap { Command.entry($0) }
    lines += ["", "\"\(name) COMMAND --help\" says what a command takes."]
    lines += ["", examples.count == 1 ? "Example:" : "Examples:"] + examples.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
