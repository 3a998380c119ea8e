import Testing

@Suite struct AllocationTests {
  /// Predictions of each preset with each storage of weights, by the plain loops, by the kernels, and many at once.
  @Test func predictionsAskForNoMemory() throws {
    #if os(Linux)
      let outcome = try RunningProcess(Program.predictAllocations.url, [], in: "/tmp").outcome()
      #expect(outcome.status == 0)
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.first?.hasSuffix(": 0") == false)
      #expect(lines.count == 37)
      #expect(
        lines.dropFirst().allSatisfy { (line: Substring) in line.hasSuffix(": 0") }, "\(outcome.output)")
    #endif
  }

  /// 100 steps of each preset by 1 and 2 threads, all libraries counted.
  @Test func stepsAskForNoMemory() throws {
    #if os(Linux)
      let outcome = try RunningProcess(Program.stepAllocations.url, [], in: "/tmp").outcome()
      #expect(outcome.status == 0)
      let lines = outcome.output.split(separator: "\n")
      // What certainly asks for memory is seen.
      #expect(lines.first?.hasSuffix(": 0") == false)
      #expect(lines.count == 7)
      #expect(
        lines.dropFirst().allSatisfy { (line: Substring) in line.hasSuffix(": 0") }, "\(outcome.output)")
    #endif
  }
}
