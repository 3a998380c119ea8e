import Arguments

enum Rule: String, CaseIterable { case sgd, momentum, adam }

/// A command line with an option of each kind.
enum Sample {
  static let data = Option(
    "data", value: "DIR", default: "Data/digits", help: "Folder with the pictures and their labels.")
  static let epochs = Option(
    "epochs", value: "N", default: 10, in: 1...100_000, help: "Passes over the data.")
  static let seed = Option("seed", value: "N", default: 1, in: 0...UInt64.max, help: "Seed of all chance.")
  static let rate = Option<Float>(
    "learning-rate", value: "R", default: 0.1, in: Above(0), help: "Size of a step.")
  static let dropout = Option(
    "dropout", value: "P", default: 0.5, in: 0..<1, help: "Share of units left out.")
  static let shift = Option<Double?>("shift", value: "X", in: -2...2, help: "Pixels to the right.")
  static let rule = Option("rule", value: "NAME", default: Rule.adam, help: "How weights are updated.")
  static let second = Option<Rule?>("second-rule", value: "NAME", help: "The rule after half the epochs.")
  static let patience = Option<Int?>("patience", value: "N", in: 1...100, help: "Epochs without progress.")
  static let resume = Option<String?>("resume", value: "RUN", help: "A run to go on with.")
  static let summary = Flag("summary", help: "Print the layers and stop.")

  static let command = Command(
    "sample", version: "1.2.3", summary: "Shows every kind of option.",
    sections: [
      .init("Data", [data, seed, dropout, shift]),
      .init("Training", [epochs, rate, rule, second, patience, resume, summary]),
    ],
    examples: ["sample --data Data/digits --epochs 3"])

  /// One required option and one or two files.
  static let model = Option<String>("model", value: "FILE", help: "The model.")
  static let predict = Command(
    "predict", summary: "Takes files.",
    operands: Operands("IMAGE", count: 1...2, help: "Pictures to classify."),
    options: [model], examples: [])
}

/// The message of the error that parsing gives, or "no error".
func complaint(_ command: Command = Sample.command, _ arguments: String...) -> String {
  do {
    _ = try command.parse(arguments)
    return "no error"
  } catch {
    return error.message
  }
}
