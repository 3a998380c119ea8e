import Testing

@testable import Arguments

@Suite struct TerminalTests {
  @Test(
    arguments: [
      ("100", 120, 100), (nil, 120, 120), (nil, nil, 80), ("", 120, 120), ("0", 120, 120), ("-5", nil, 80),
      ("wide", nil, 80),
      ("9223372036854775807", nil, 1000),
    ] as [(String?, Int?, Int)])
  func columnsComeBeforeWhatTheTerminalReports(columns: String?, reported: Int?, width: Int) {
    #expect(Terminal.width(columns: columns, reported: reported) == width)
  }

  @Test(
    arguments: [
      (true, ["TERM": "xterm"], true),
      (false, ["TERM": "xterm"], false),
      (true, ["TERM": "dumb"], false),
      (true, [:], false),
      (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (true, ["TERM": "xterm", "NO_COLOR": ""], true),
    ] as [(Bool, [String: String], Bool)])
  func coloursNeedAWillingTerminal(isTerminal: Bool, environment: [String: String], allowed: Bool) {
    #expect(Terminal.allowsColor(isTerminal: isTerminal) { environment[$0] } == allowed)
  }

  @Test func aClosedDescriptorIsNoTerminal() {
    let closed = Terminal(descriptor: -1)
    #expect(!closed.isTerminal)
    #expect(!closed.allowsColor)
    #expect(closed.width > 0)
  }
}
