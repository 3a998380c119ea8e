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
      // The checkpoints stay below 4 KiB. An event file, some 300 bytes an epoch, is soon full, but each process has
      // one of its own; in the end the log is too, some 65 bytes an epoch.
      var arguments = arguments("run")
      var files: [String] = []
      repeat {
        let outcome = try place.run(.train, arguments, fileBlocks: 8)
        #expect(outcome.status == 73)
        let message = try #require(outcome.errorLines.last)
        #expect(message.contains("free space"))
        files.append(String(message.split(separator: ": ")[1]))
        #expect(!(try place.names(in: "run")).contains { $0.hasSuffix(".tmp") })
        let epoch = try #require(try place.checkpoint("run/last.ckpt").progress?.epoch)
        #expect((files.count..<72).contains(epoch))
        _ = try place.checkpoint("run/best.ckpt")
        arguments = ["--resume", "run"]
      } while files.last != "run/metrics.csv" && files.count < 20
      #expect(files.count > 3)
      #expect(files.dropLast() == (1..<files.count).map { "run/events.00000\($0).tfevents" }[...])

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
