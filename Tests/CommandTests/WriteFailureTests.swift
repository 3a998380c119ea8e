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

    private func arguments(_ run: String, layers: String = plain, epochs: Int = 100) -> [String] {
      ["--data", "data", "--layers", layers, "--epochs", "\(epochs)", "--output", run] + quick
    }

    @Test func keepsTheLastCheckpointWhenTheDiskIsFull() throws {
      try place.train(arguments("whole"))
      // The checkpoints stay below 4 KiB. The curve takes some 6 KiB, with marks up to 22 at 30 epochs, then less; an
      // event file takes some 300 bytes an epoch.
      var arguments = arguments("run")
      var epochs = [-1]
      for (blocks, file) in [
        (8, "learning-curve.svg"), (24, "learning-curve.svg"), (48, "events.000003.tfevents"),
      ] {
        let outcome = try place.run(.train, arguments, fileBlocks: blocks)
        #expect(outcome.status == 73)
        let message = try #require(outcome.errorLines.last)
        #expect(message.contains("run/\(file): ") && message.contains("free space"), "\(message)")
        #expect(!(try place.names(in: "run")).contains { $0.hasSuffix(".tmp") })
        epochs.append(try #require(try place.checkpoint("run/last.ckpt").progress?.epoch))
        arguments = ["--resume", "run"]
      }
      #expect(epochs == epochs.sorted() && Set(epochs).count == 4 && (70..<100).contains(epochs[3]), "\(epochs)")

      try place.train(["--resume", "run"])
      #expect(try place.bytes("run/last.ckpt") == place.bytes("whole/last.ckpt"))
      #expect(try place.bytes("run/best.ckpt") == place.bytes("whole/best.ckpt"))
      #expect(try place.repeatableMetrics("run") == place.repeatableMetrics("whole"))
      #expect(try place.repeatableScalars("run") == place.repeatableScalars("whole"))
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
