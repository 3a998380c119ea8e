import Testing

@testable import Arguments

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Testing has an ExitStatus too.
private struct Trouble: ExitStatusProviding, CustomStringConvertible {
  var exitStatus: Arguments.ExitStatus { .badData }
  var description: String { "a.idx at byte 3:\nexpected more" }
}

private struct Misfit: ExitStatusProviding, CustomStringConvertible {
  var exitStatus: Arguments.ExitStatus { .badData }
  var description: String { "it does not fit" }
  var details: String? { "a  b\n1  2\u{1B}" }
}

private struct Stray: Error {}

@Suite struct CommandRunTests {
  /// The status, and what was printed to standard output and standard error.
  private func execute(
    _ arguments: [String], _ work: (ParsedArguments) throws -> Void = { _ in }
  ) -> (status: Arguments.ExitStatus, output: String, errors: String) {
    var (output, errors) = ("", "")
    let status = Sample.command.execute(arguments, output: { output += $0 }, report: { errors += $0 }, work)
    return (status, output, errors)
  }

  @Test func workSeesTheArguments() {
    var epochs = 0
    let result = execute(["--epochs", "3"]) { epochs = $0[Sample.epochs] }
    #expect(epochs == 3)
    #expect(result == (.success, "", ""))
  }

  @Test(arguments: [["--help"], ["-h"], ["--wrong", "--help"], ["--data", "-h"], ["--version", "--help"]])
  func helpWinsOverAllElse(arguments: [String]) {
    #expect(execute(arguments) { _ in Issue.record("work ran") } == (.success, Sample.command.helpText, ""))
  }

  @Test func theVersionIsPrinted() {
    #expect(execute(["--version"]) { _ in Issue.record("work ran") } == (.success, "sample 1.2.3\n", ""))
  }

  @Test func afterTwoDashesHelpIsAnOperand() {
    #expect(execute(["--", "--help"]).status == .usage)
  }

  @Test func errorsAreOneLineWithTheirStatus() {
    #expect(
      execute(["--epochs", "ten"])
        == (
          .usage, "",
          "sample: --epochs: expected a whole number from 1 to 100000, found 'ten'; see sample --help\n"
        ))
    #expect(
      execute([]) { _ in throw Trouble() } == (.badData, "", "sample: a.idx at byte 3: expected more\n"))
    #expect(execute([]) { _ in throw Stray() } == (.internalError, "", "sample: Stray()\n"))
    #expect(
      execute([]) { _ in throw Misfit() } == (.badData, "", "sample: it does not fit\na  b\n1  2 \n"))
  }

  @Test func theProcessEndsWithTheStatus() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(64), observing: [\.standardErrorContent]
    ) {
      Sample.command.run(["--epoch", "3"]) { _ in }
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors == "sample: unknown option '--epoch'; did you mean --epochs?; see sample --help\n")
  }

  @Test func whatIsPrintedArrivesBeforeTheEnd() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      Sample.command.run(["--version"]) { _ in }
    }
    #expect(String(decoding: result.standardOutputContent, as: UTF8.self).hasSuffix("sample 1.2.3\n"))
  }

  @Test func outputThatNobodyReadsEndsTheProcessQuietly() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      dup2(ends[1], STDOUT_FILENO)
      _ = signal(SIGPIPE, SIG_IGN)
      Sample.command.run(["--help"]) { _ in }
    }
  }
}
