import Foundation
import Tensors
import Testing

@testable import Training

extension ProgramTests {
  struct ResumeTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
    }

    private func arguments(_ run: String, epochs: Int = 16, batch: Int = 4, data: String = "data") -> [String]
    {
      ["--data", data, "--epochs", "\(epochs)", "--batch", "\(batch)", "--output", run] + everything
    }

    /// Expects that two runs ended in the same state, whatever happened to them.
    private func expectSame(
      _ run: String, _ reference: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for file in ["last.ckpt", "best.ckpt"] {
        let (found, expected) = try (
          place.checkpoint("\(run)/\(file)"), place.checkpoint("\(reference)/\(file)")
        )
        #expect(found.progress == expected.progress, sourceLocation: sourceLocation)
        #expect(found.model.values == expected.model.values, sourceLocation: sourceLocation)
        #expect(found.optimizerState == expected.optimizerState, sourceLocation: sourceLocation)
        #expect(found.average == expected.average, sourceLocation: sourceLocation)
        #expect(
          try place.bytes("\(run)/\(file)") == place.bytes("\(reference)/\(file)"),
          sourceLocation: sourceLocation)
      }
      #expect(
        try place.repeatableMetrics(run) == place.repeatableMetrics(reference), sourceLocation: sourceLocation
      )
      #expect(
        try place.repeatableScalars(run) == place.repeatableScalars(reference), sourceLocation: sourceLocation
      )
      let others = try [run, reference].map { run in
        try place.names(in: run).filter { try !place.eventFiles(run).contains($0) }
      }
      #expect(others[0] == others[1], "no file is left over", sourceLocation: sourceLocation)
    }

    /// Starts a run and sends it a signal soon after its first step.
    private func stop(_ arguments: [String], by signal: Int32) throws {
      let terminal = try PseudoTerminal(columns: 80)
      let process = try place.start(.train, arguments, on: terminal)
      _ = terminal.read { $0.contains("left") }
      process.send(signal)
      _ = terminal.read()
      let status = process.outcome().status
      #expect(status == (signal == SIGKILL ? nil : 130))
    }

    /// Some 5,000 steps in two epochs: a signal after the first of them comes in mid-epoch.
    private func longArguments(_ run: String) throws -> [String] {
      if !place.exists("long") {
        try place.pictures("long", training: Workplace.cycle(6000, of: [0, 1, 2]))
      }
      return arguments(run, epochs: 2, batch: 2, data: "long")
    }

    @Test func goesOnAfterBeingKilledAtAnyMoment() throws {
      let clock = ContinuousClock()
      let start = clock.now
      try place.train(arguments("whole"))
      let duration = (clock.now - start) / .seconds(1)

      for seed in 1...3 as ClosedRange<UInt64> {
        let run = "killed\(seed)"
        var random = RandomStream(seed: seed, stream: .delays)
        var kills = 0
        while kills < 6 {
          // The first time within the start of the program, before or while the folder is made.
          let delay =
            kills == 0
            ? Double.random(in: 0...0.02, using: &random)
            : Double.random(in: 0...duration / 2, using: &random)
          let process = try place.start(
            .train, place.exists("\(run)/last.ckpt") ? ["--resume", run] : arguments(run))
          Thread.sleep(forTimeInterval: delay)
          process.send(SIGKILL)
          let outcome = process.outcome()
          #expect(outcome.status ?? 0 == 0, "\(outcome.errors)")
          kills += 1
        }
        try place.train(place.exists("\(run)/last.ckpt") ? ["--resume", run] : arguments(run))
        try expectSame(run, "whole")
      }
    }

    @Test func startsAnewWhereNothingWasSavedYet() throws {
      try place.train(arguments("whole", epochs: 2))
      try FileManager.default.createDirectory(atPath: "\(place.path)/run", withIntermediateDirectories: true)
      try place.write("", to: "run/.lock")
      try place.write("INKLINGc", to: "run/last.ckpt.123-456.tmp")
      try place.train(arguments("run", epochs: 2))
      try expectSame("run", "whole")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func savesAndStopsInMidEpochOnASignal(_ signal: Int32) throws {
      try place.train(longArguments("whole"))
      let terminal = try PseudoTerminal(columns: 80)
      let process = try place.start(.train, longArguments("run"), on: terminal)
      _ = terminal.read { $0.contains("left") }
      process.send(signal)
      let drawn = terminal.read()
      #expect(process.outcome().status == 130)
      #expect(drawn.hasSuffix("stopped and saved; go on with: inkling-train --resume run\r\n"))
      let progress = try #require(try place.checkpoint("run/last.ckpt").progress)
      #expect(progress.epoch < 2 && progress.stepInEpoch > 0)
      // Every tenth step up to the checkpoint, and the epoch's end if it lies before.
      let whole = try place.repeatableScalars("whole")
      #expect(try place.repeatableScalars("run") == whole.filter { $0.step <= progress.step })

      try place.train(["--resume", "run", "--threads", "3"])
      try expectSame("run", "whole")
    }

    /// The records may be ahead of the checkpoint by any number of steps, and end within one.
    @Test(arguments: [0, 1, 20]) func dropsWhatTheCheckpointDoesNotKnow(unfinished: Int) throws {
      try place.train(longArguments("whole"))
      try stop(longArguments("run"), by: SIGINT)
      for name in try place.eventFiles("run") + ["metrics.csv"] {
        let whole = try place.bytes("whole/\(name)")
        try (whole + whole.suffix(100).prefix(unfinished)).write(
          to: URL(fileURLWithPath: "\(place.path)/run/\(name)"))
      }
      try stop(["--resume", "run"], by: SIGKILL)
      try place.train(["--resume", "run"])
      try expectSame("run", "whole")
    }

    /// A run that an earlier version began, or whose event files somebody removed.
    @Test func startsItsEventsWhereThereAreNone() throws {
      try place.train(longArguments("whole"))
      try stop(longArguments("run"), by: SIGINT)
      let step = try #require(try place.checkpoint("run/last.ckpt").progress?.step)
      for name in try place.eventFiles("run") {
        try FileManager.default.removeItem(atPath: "\(place.path)/run/\(name)")
      }
      try place.train(["--resume", "run"])
      let expected = try place.repeatableScalars("whole").filter { $0.step > step }
      #expect(try place.repeatableScalars("run") == expected && !expected.isEmpty)
    }

    @Test func saysWhenARunIsComplete() throws {
      try place.train(arguments("run", epochs: 2))
      let names = try place.names(in: "run")
      let files = try ["last.ckpt"] + place.eventFiles("run")
      let before = try files.map { try place.bytes("run/\($0)") }
      let outcome = try place.train(["--resume", "run"])
      #expect(outcome.output.contains("nothing left to do: all 2 epochs are done"))
      #expect(try files.map { try place.bytes("run/\($0)") } == before)
      #expect(try place.names(in: "run") == names)
      #expect(try place.metrics("run").count == 3)
    }

    @Test func findsTheDataInAnotherPlace() throws {
      try place.train(arguments("whole", epochs: 2))
      try stop(arguments("run", epochs: 2), by: SIGKILL)
      try FileManager.default.moveItem(atPath: "\(place.path)/data", toPath: "\(place.path)/moved")

      let lost = try place.run(.train, ["--resume", "run"])
      #expect(lost.status == 66 && lost.errors.contains("data: expected a folder"))
      try place.train(["--resume", "run", "--data", "moved"])
      #expect(
        try place.checkpoint("run/last.ckpt").model.values == place.checkpoint("whole/last.ckpt").model.values
      )
    }

    @Test func refusesOtherDataAndOtherSettings() throws {
      try place.train(arguments("run", epochs: 2))
      try place.pictures("other", training: Workplace.cycle(300, of: [2, 1, 0]))
      let before = try place.bytes("run/last.ckpt")
      let data = try place.run(.train, ["--resume", "run", "--data", "other"])
      #expect(data.status == 65 && data.errors.contains("not what this run began with"))
      let settings = try place.run(.train, ["--resume", "run", "--epochs", "9"])
      #expect(settings.status == 64 && settings.errors.contains("--epochs cannot be changed"))
      let missing = try place.run(.train, ["--resume", "nowhere"])
      #expect(missing.status == 66 && missing.errors.contains("no such folder"))
      #expect(try place.bytes("run/last.ckpt") == before)
    }

    @Test func letsOneProcessAtATimeIntoARunFolder() throws {
      let terminal = try PseudoTerminal(columns: 80)
      let first = try place.start(.train, arguments("run", epochs: 2000), on: terminal)
      _ = terminal.read { $0.contains("left") }
      for arguments in [["--resume", "run"], arguments("run")] {
        let second = try place.run(.train, arguments)
        #expect(second.status == 73)
        #expect(second.errors.contains("another process training there"))
      }
      first.send(SIGKILL)
      #expect(first.outcome().status == nil)
    }
  }
}
