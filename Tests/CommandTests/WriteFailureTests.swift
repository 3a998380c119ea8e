import Foundation
import Testing

@testable import Training

extension ProgramTests {
  struct WriteFailureTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
    }

    private func arguments(_ run: String, layers: String = plain, epochs: Int = 72) -> [String] {
      ["--data", "data", "--layers", layers, "--epochs", "\(epochs)", "--output", run] + quick
    }

    @Test func keepsTheLastCheckpointWhenTheDiskIsFull() throws {
      try place.train(arguments("whole"))
      // The checkpoints stay below 4 KiB, the log, some 65 bytes an epoch, does not.
      let outcome = try place.run(.train, arguments("run"), fileBlocks: 8)
      #expect(outcome.status == 73)
      let message = try #require(outcome.errorLines.last)
      #expect(message.contains("run/metrics.csv") && message.contains("free space"))
      #expect(!(try place.names(in: "run")).contains { $0.hasSuffix(".tmp") })
      let epoch = try #require(try place.checkpoint("run/last.ckpt").progress?.epoch)
      #expect((1..<72).contains(epoch))
      #expect(try place.metrics("run").count == epoch + 1)
      _ = try place.checkpoint("run/best.ckpt")

      try place.train(["--resume", "run"])
      #expect(try place.bytes("run/last.ckpt") == place.bytes("whole/last.ckpt"))
      #expect(try place.bytes("run/best.ckpt") == place.bytes("whole/best.ckpt"))
      #expect(try place.repeatableMetrics("run") == place.repeatableMetrics("whole"))
    }

    @Test func canStartAgainWhenTheDiskWasFullFromTheStart() throws {
      let large = arguments("run", layers: "dense 64, relu, dense 3", epochs: 1)
      let outcome = try place.run(.train, large, fileBlocks: 8)
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains("run/last.ckpt") && outcome.errors.contains("free space"))
      #expect(try place.names(in: "run") == [".lock"])
      try place.train(large)
    }

    @Test func refusesAPlaceThatCannotBeAFolder() throws {
      // Below a file, since root may write to any folder.
      for run in ["data/train-labels-idx1-ubyte", "data/train-labels-idx1-ubyte/run"] {
        let outcome = try place.run(.train, arguments(run, epochs: 1))
        #expect(outcome.status == 73)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("\(run): expected a folder") && outcome.errors.contains("--output"))
        #expect(!outcome.errors.contains("an error"))
      }
    }

    @Test func leavesAnEarlierRunAlone() throws {
      try place.train(arguments("run", epochs: 1))
      let before = try place.names(in: "run").map { try place.bytes("run/\($0)") }
      let outcome = try place.run(.train, arguments("run", epochs: 1))
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains("found an earlier run; continue it with --resume run"))
      #expect(try place.names(in: "run").map { try place.bytes("run/\($0)") } == before)
    }
  }
}
