import Foundation
import Testing

@testable import Training

extension ProgramTests {
  struct TrainTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
    }

    private func arguments(
      _ run: String, data: String = "data", epochs: Int = 5, rate: String = "0.03", _ more: [String] = []
    ) -> [String] {
      [
        "--data", data, "--layers", plain, "--epochs", "\(epochs)", "--batch", "16", "--learning-rate", rate,
        "--output", run,
      ] + more
    }

    @Test func leavesARunFolder() throws {
      let outcome = try place.train(arguments("run"))
      #expect(
        try place.names(in: "run") == [
          ".lock", "best.ckpt", "configuration.json", "data.json", "events.000001.tfevents", "last.ckpt",
          "learning-curve.svg", "metrics.csv",
        ])
      #expect(outcome.output.contains("best model  run/best.ckpt  (epoch "))
      #expect(outcome.output.contains("270 to train on, 30 set aside for validation"))

      let metrics = try place.metrics("run")
      #expect(metrics[0].joined(separator: ",") == MetricsLog.header)
      #expect(metrics.dropFirst().map { $0[0] } == ["1", "2", "3", "4", "5"])
      #expect(metrics.allSatisfy { $0.count == 9 })

      let configuration = try JSONDecoder().decode(
        TrainingConfiguration.self, from: try place.bytes("run/configuration.json"))
      #expect(configuration == (try place.checkpoint("run/last.ckpt").configuration))
      #expect(configuration.epochs == 5 && configuration.layers == plain)
    }

    @Test func writesEventsForTensorBoard() throws {
      let start = Date().timeIntervalSince1970
      try place.train(arguments("run"))
      let events = try DecodedEvent.all(in: place.bytes("run/events.000001.tfevents"))
      #expect(events.allSatisfy { (start...Date().timeIntervalSince1970).contains($0.wallTime) })
      #expect(events[1].isStart && events[1].step == 1)

      // 270 images are 17 steps of at most 16, five times.
      let scalars = try Dictionary(grouping: place.scalars("run"), by: \.tag)
      #expect(
        scalars.keys.sorted() == [
          "accuracy/train", "accuracy/validation", "batch/learning_rate", "batch/loss",
          "epoch/images_per_second", "epoch/learning_rate", "loss/train", "loss/validation",
        ])
      for tag in ["batch/loss", "batch/learning_rate"] {
        #expect(scalars[tag]?.map(\.step) == Array(stride(from: 10, through: 80, by: 10)))
      }
      // What the metrics say, to their last digit: half a unit of it, and a float's rounding.
      for (column, tag) in [
        (2, "epoch/learning_rate"), (3, "loss/train"), (4, "accuracy/train"), (5, "loss/validation"),
        (6, "accuracy/validation"), (7, "epoch/images_per_second"),
      ] {
        let ofTag = try #require(scalars[tag])
        let rows = try place.metrics("run").dropFirst()
        #expect(ofTag.map { "\($0.step)" } == rows.map { String($0[1]) })
        for (scalar, row) in zip(ofTag, rows) {
          let expected = try #require(Float(row[column]))
          #expect(abs(scalar.value - expected) <= (column == 7 ? 0.51 : 6e-7), "\(tag) at \(scalar.step)")
        }
      }
    }

    @Test func writesAPlainLineAnEpochWhereThereIsNoTerminal() throws {
      let lines = try place.train(arguments("run")).errorLines
      #expect(lines.count == 5)
      for (index, line) in lines.enumerated() {
        #expect(line.hasPrefix("epoch \(index + 1)/5  loss "))
        #expect(line.contains("accuracy") && line.contains("validation") && line.hasSuffix(" images/s"))
        #expect(!line.contains("\u{1B}") && !line.contains("\r"))
      }
    }

    @Test func repeatsARunToTheByte() throws {
      for (run, seed) in [("a", "5"), ("b", "5"), ("c", "6")] {
        try place.train(arguments(run, ["--augment", "standard", "--average", "0.99", "--seed", seed]))
      }
      for file in ["last.ckpt", "best.ckpt"] {
        let (a, b, c) = try (
          place.checkpoint("a/\(file)"), place.checkpoint("b/\(file)"), place.checkpoint("c/\(file)")
        )
        #expect(a.model.values == b.model.values)
        #expect(a.model.values != c.model.values)
        #expect(try place.bytes("a/\(file)") == place.bytes("b/\(file)"))
      }
      #expect(try place.repeatableMetrics("a") == place.repeatableMetrics("b"))
    }

    @Test func givesTheSameBytesForAnyNumberOfThreads() throws {
      // 40 images in a batch are shards of 16, 16 and 8; 270 leave a short last batch.
      for threads in ["1", "2", "3"] {
        try place.train(
          ["--data", "data", "--epochs", "3", "--batch", "40", "--threads", threads, "--output", threads]
            + everything)
      }
      let one = try place.checkpoint("1/last.ckpt")
      for threads in ["2", "3"] {
        let other = try place.checkpoint("\(threads)/last.ckpt")
        #expect(one.model.values == other.model.values && one.average == other.average)
        #expect(one.optimizerState == other.optimizerState)
        #expect(try place.bytes("1/last.ckpt") == place.bytes("\(threads)/last.ckpt"))
        #expect(try place.repeatableMetrics("1") == place.repeatableMetrics(threads))
      }
    }

    @Test func trainsOnEverythingWithoutValidation() throws {
      let outcome = try place.train(arguments("run", ["--validation", "0"]))
      #expect(outcome.output.contains("300 to train on, 0 set aside"))
      #expect(outcome.output.contains("(epoch 5)"))
      #expect(!outcome.errors.contains("validation"))
      #expect(try place.metrics("run").last?[5...6] == ["", ""])
      #expect(try !place.scalars("run").contains { $0.tag.contains("validation") })
      #expect(
        try place.checkpoint("run/best.ckpt").model.values == place.checkpoint("run/last.ckpt").model.values)
    }

    @Test func stopsWhenPatienceIsAtAnEnd() throws {
      // So small a rate changes nothing: the first epoch stays the best.
      let outcome = try place.train(
        arguments("run", epochs: 50, rate: "1e-20", ["--patience", "2"]))
      #expect(outcome.errorLines.count == 3)
      #expect(outcome.output.contains("stopped: no better validation result for 2 epochs"))
      #expect(outcome.output.contains("(epoch 1, validation accuracy "))
      let again = try place.train(["--resume", "run"])
      #expect(again.errors.isEmpty && again.output.contains("(epoch 1, "))
    }

    @Test func stopsWhenTheLossIsNoLongerFinite() throws {
      // The second epoch's rate is 1e32.
      let outcome = try place.run(
        .train,
        arguments(
          "run", rate: "0.001", ["--schedule", "step", "--step-epochs", "1", "--step-factor", "1e35"]))
      #expect(outcome.status == 70)
      #expect(outcome.errorLines.count == 2)
      let message = try #require(outcome.errorLines.last)
      #expect(message.contains("epoch 2, step ") && message.contains("e+3"))
      #expect(message.contains("smaller --learning-rate"))
      #expect(try place.checkpoint("run/last.ckpt").progress?.epoch == 1)
      #expect(try place.checkpoint("run/best.ckpt").model.values.allSatisfy(\.isFinite))
      #expect(try place.metrics("run").count == 2)
    }

    @Test func warnsOfASingleClass() throws {
      try place.pictures("one", training: Workplace.cycle(100, of: [7]), test: [7])
      let outcome = try place.train(
        ["--data", "one", "--layers", "dense 1", "--epochs", "2", "--output", "run"])
      #expect(outcome.errorLines.first?.contains("warning: there is only one class, 7") == true)
      #expect(try place.evaluation(["--model", "run", "--data", "one"]).accuracy == 1)
    }

    @Test func warnsOfARareClass() throws {
      try place.pictures("rare", training: Workplace.cycle(292, of: [0, 1]) + Workplace.cycle(8, of: [2]))
      let outcome = try place.train(arguments("run", data: "rare", ["--balance"]))
      let warnings = outcome.errorLines.filter { $0.contains("warning") }
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("class 2 has only 8 of 300 images (2.7%)") == true)
      #expect(try place.evaluation(["--model", "run", "--data", "data"]).accuracy == 1)
    }

    @Test func drawsABarOnATerminalOfAnyWidth() throws {
      for columns in [20, 80, 200] as [UInt16] {
        let terminal = try PseudoTerminal(columns: columns)
        let process = try place.start(.train, arguments("run\(columns)"), on: terminal)
        let drawn = terminal.read()
        #expect(process.outcome().status == 0)
        // What lies between a clearing of the line and the next, or a new line, is one state of the bar.
        let states = drawn.split(separator: "\r\u{1B}[K").filter { !$0.contains("\n") }
        #expect(!states.isEmpty)
        #expect(states.allSatisfy { $0.hasPrefix("epoch ") && $0.count < columns })
        if columns >= 80 {
          #expect(states.allSatisfy { $0.contains(" loss ") && $0.hasSuffix(" left") && $0.contains(/[█░]/) })
        }
        #expect(drawn.components(separatedBy: "images/s\r\n").count == 6)
      }
    }
  }
}
