import Testing

@testable import Arguments

@Suite struct CommandGroupTests {
  private static let far = Flag("far", help: "Not near.")

  /// The status, what was printed to standard output and standard error, and the commands that ran.
  private func execute(
    _ arguments: String...
  ) -> (status: Arguments.ExitStatus, output: String, errors: String, ran: [String]) {
    var ran: [String] = []
    let group = CommandGroup(
      "tool", version: "1.2.3", summary: "Does this and that.",
      commands: [
        .init(Command("tool walk", summary: "Goes on foot.", options: [Self.far], examples: [])) {
          ran.append($0[Self.far] ? "walk far" : "walk")
        },
        .init(Command("tool ride", summary: "Goes on a horse.", options: [], examples: ["tool ride"])) { _ in
          ran.append("ride")
        },
      ],
      examples: ["tool walk --far"])
    var (output, errors) = ("", "")
    let status = group.execute(arguments, output: { output += $0 }, report: { errors += $0 })
    return (status, output, errors, ran)
  }

  @Test func theFirstArgumentNamesTheCommand() {
    #expect(execute("walk", "--far") == (.success, "", "", ["walk far"]))
    #expect(execute("ride") == (.success, "", "", ["ride"]))
  }

  @Test func helpListsTheCommands() {
    let expected = """
      Does this and that.

      Usage: tool COMMAND [options]

      Commands:
        walk                    Goes on foot.
        ride                    Goes on a horse.

      General:
        -h, --help              Print this help.
        --version               Print the version.

      "tool COMMAND --help" says what a command takes.

      Example:
        tool walk --far

      """
    #expect(execute("--help") == (.success, expected, "", []))
    #expect(execute("wlk", "-h").output == expected)
    #expect(execute("--version").output == "tool 1.2.3\n")
  }

  @Test func aCommandHasAHelpOfItsOwn() {
    #expect(execute("walk", "--help").output.contains("\nUsage: tool walk [options]\n"))
  }

  @Test func anUnknownCommandIsAnError() {
    let words = "expected a command, one of walk, ride, found"
    #expect(execute() == (.usage, "", "tool: \(words) none; see tool --help\n", []))
    #expect(
      execute("wlak").errors == "tool: \(words) 'wlak'; did you mean walk?; see tool --help\n")
    #expect(execute("--far", "walk").status == .usage)
  }

  @Test func aCommandsErrorsAreItsOwn() {
    #expect(
      execute("walk", "--fra")
        == (
          .usage, "",
          "tool walk: unknown option '--fra'; did you mean --far?; see tool walk --help\n", []
        ))
  }
}
