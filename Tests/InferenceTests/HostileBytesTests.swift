import Testing

@testable import Inference

/// Whatever the bytes, the reader refuses them or gives a network that can be used.
struct HostileBytesTests {
  private func reason(_ bytes: some Sequence<UInt8>) -> InkError.Reason? {
    // A copy without a byte to spare.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: Array(bytes).count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: Array(bytes))
    do throws(InkError) {
      _ = try Network(UnsafeRawBufferPointer(copy))
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: GoldenNetwork.all) func everyPrefixIsRefused(golden: GoldenNetwork) {
    let file = golden.bytes
    #expect(reason(file) == nil)
    for count in file.indices { #expect(reason(file.prefix(count)) != nil, "\(count) bytes") }
    #expect(reason(file + [0]) == .length)
  }

  @Test(arguments: GoldenNetwork.all) func everyByteThatChangedIsNoticed(golden: GoldenNetwork) {
    let file = golden.bytes
    for index in file.indices {
      for change: UInt8 in [1, 0x20, 0x80, 0xFF] {
        var changed = file
        changed[index] ^= change
        #expect(reason(changed) != nil, "byte \(index)")
      }
    }
  }

  /// 20,000 files whose length and checksum are right: none traps, hangs or takes much memory.
  @Test func changedFilesAreRefusedOrRun() {
    let files = GoldenNetwork.all.map(\.bytes)
    var outcomes: [HostileFile: Int] = [:]
    for seed in 0..<20_000 {
      var mutation = InkMutation(seed: UInt64(seed))
      let file = mutation.changed(files[seed % files.count])
      outcomes[file.withUnsafeBytes { HostileFile($0, kernelSet: seed / files.count) }, default: 0] += 1
    }
    // The changes have to reach all of the reader, and much of what comes behind it.
    let predicted = outcomes[.predicted, default: 0]
    let summary = outcomes.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
    #expect(predicted > 2000, "\(summary)")
    #expect(outcomes[.tooLarge, default: 0] < 200, "\(summary)")
    let reasons: [InkError.Reason] = [
      .length, .unknownSection, .sections, .unknownKind, .number, .tensor, .shape, .classes,
    ]
    for reason in reasons { #expect(outcomes[.refused(reason), default: 0] > 50, "\(reason): \(summary)") }
    print("HostileBytesTests: \(summary)")
  }
}
