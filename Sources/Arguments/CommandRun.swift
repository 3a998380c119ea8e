import PlainText

extension Command {
  /// Runs a whole program: reads the command line, does the work, ends the process.
  ///
  /// `--help` and `--version` win over anything else on the line. An error that the work throws is printed as one
  /// line, `name: error`, on standard error; it ends the process with its own status (``ExitStatusProviding``)
  /// or else as an internal error. Output that nobody reads any more (`| head`) ends it quietly.
  public func run(_ work: (ParsedArguments) throws -> Void) -> Never {
    run(CommandLine.arguments.dropFirst(), work)
  }

  func run(_ arguments: some Sequence<String>, _ work: (ParsedArguments) throws -> Void) -> Never {
    invocation.run(Array(arguments)) { try work(parse($0)) }
  }

  /// `run` without the process: what is printed goes to `output` and `report`.
  func execute(
    _ arguments: [String], output: (String) -> Void, report: (String) -> Void,
    _ work: (ParsedArguments) throws -> Void
  ) -> ExitStatus {
    invocation.execute(arguments, output: output, report: report) { try work(parse($0)) }
  }

  private var invocation: Invocation { Invocation(name: name, version: version, helpText: helpText) }
}

/// A program's or a command's run, whatever its arguments mean.
struct Invocation {
  let name: String
  let version: String
  let helpText: String

  func run(_ arguments: [String], _ work: ([String]) throws -> Void) -> Never {
    Terminal.endQuietlyOnClosedPipe()
    var status = execute(
      arguments, output: { print($0, terminator: "") }, report: Terminal.writeError, work)
    if let trouble = Terminal.flushOutput(), status == .success {
      Terminal.writeError("\(name): standard output cannot be written: \(trouble)\n")
      status = .ioError
    }
    Terminal.endProcess(status)
  }

  func execute(
    _ arguments: [String], output: (String) -> Void, report: (String) -> Void,
    _ work: ([String]) throws -> Void
  ) -> ExitStatus {
    do {
      // Exact, since neither can be the value of an option: the parser takes none that starts with "--".
      let options = arguments.prefix { $0 != "--" }
      if options.contains("--help") || options.contains("-h") {
        output(helpText)
      } else if options.contains("--version") {
        output("\(name) \(version)\n")
      } else {
        try work(arguments)
      }
      return .success
    } catch {
      report("\(name): \(String(describing: error).singleLine)\n")
      let status = error as? any ExitStatusProviding
      for line in status?.details?.split(separator: "\n") ?? [] { report("\(String(line).singleLine)\n") }
      return status?.exitStatus ?? .internalError
    }
  }
}
