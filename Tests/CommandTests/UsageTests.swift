import Testing

extension ProgramTests {
  struct UsageTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
    }

    @Test(arguments: [("lenet5", "61,706"), ("cnn", "1,199,882"), ("mlp", "101,770"), ("linear", "7,850")])
    func printsTheTableOfANetwork(preset: String, parameters: String) throws {
      let outcome = try place.train(["--data", Workplace.digits, "--preset", preset, "--summary"])
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.first?.split(separator: " ") == ["layer", "output", "parameters", "MACs"])
      #expect(lines.last?.split(separator: " ").prefix(2) == ["total", Substring(parameters)])
      #expect(outcome.errors.isEmpty && !place.exists("runs"))
    }

    @Test(
      arguments: [
        (
          ["--layers", "conv 3x3 4, conv 9x9 3, dense 3"],
          "layer 2 (conv 9x9 3) after an output of 4×6×6: a 9x9"
        ),
        (
          ["--layers", "conv 3x3 4, relu, dense 4"],
          "layer 3 (dense 4): the network ends in 4 values, but there are 3"
        ),
        (["--layers", "relu, konv 3x3 4"], "layer 2 (konv 3x3 4): there is no layer 'konv'"),
        (["--layers", "dense 3", "--preset", "mlp"], "--layers and --preset each name a network"),
        (["--epoch", "4"], "unknown option '--epoch'; did you mean --epochs?"),
        (["--epochs", "ten"], "--epochs: expected a whole number from 1 to 100000, found 'ten'"),
        (
          ["--layers", "dense 3", "--validation", "300"],
          "--validation 300 leaves nothing to train on: data/"
        ),
        (
          ["--layers", "dense 3", "--validation", "0", "--patience", "2"], "--patience needs images set aside"
        ),
        (["--layers", "dense 3", "--augment", "wobble 3"], "wobble"),
        (["--train-images", "x"], "--train-images and --train-labels go together"),
      ] as [([String], String)])
    func refusesACommandLine(_ more: [String], expected: String) throws {
      let outcome = try place.run(.train, ["--data", "data", "--output", "run"] + more)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("inkling-train: ") && outcome.errors.contains(expected))
      #expect(!place.exists("run"))
    }

    @Test func saysWhatToDoAboutMissingData() throws {
      for program in [Program.train, .evaluate] {
        try place.train(["--data", "data", "--layers", "dense 3", "--output", "\(program)"])
        let arguments = program == .train ? ["--output", "new"] : ["--model", "train"]
        for (data, remedy) in [("nowhere", "check the folder"), ("Data/mnist", "run \"make mnist\"")] {
          let outcome = try place.run(program, ["--data", data] + arguments)
          #expect(outcome.status == 66)
          #expect(outcome.errors.contains("\(data): expected a folder") && outcome.errors.contains(remedy))
        }
      }
      #expect(!place.exists("new"))
    }

    @Test func namesARunThatWasGivenNoName() throws {
      let arguments = ["--data", "data", "--epochs", "1"]
      try place.train(arguments + ["--layers", "dense 3"])
      try place.train(arguments + ["--preset", "linear"])
      try place.train(arguments + ["--init", "runs/linear"])
      #expect(try place.names(in: "runs") == ["custom", "fine-tuned", "linear"])
    }

    @Test(arguments: [Program.train, .evaluate]) func explainsItself(_ program: Program) throws {
      let help = try place.run(program, ["--help"])
      #expect(help.status == 0 && help.errors.isEmpty)
      #expect(help.output.contains("Usage: \(program.rawValue)") && help.output.contains("\nExample"))
      #expect(
        help.output.split(separator: "\n").filter { $0.count > 80 }.count <= 1, "an example may be long")
      let version = try place.run(program, ["--version"])
      #expect(version.output.hasPrefix("\(program.rawValue) ") && version.output.hasSuffix("\n"))
    }
  }
}
