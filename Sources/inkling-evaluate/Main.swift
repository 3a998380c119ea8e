import Arguments
import Datasets
import Foundation
import PlainText
import Programs
import Reports
import Training

enum EvaluateOptions {
  static let model = Option<String>(
    "model", value: "PATH",
    help: "A run folder, of which the best checkpoint is taken, a checkpoint, or an .ink file.")
  static let compare = Option<String?>(
    "compare", value: "PATH", help: "Another model, to be judged on the same images and compared.")
  static let data = DataOptions(.test)
  static let report = Option<String?>(
    "report", value: "FILE", help: "Also write the report as one HTML page, with pictures.")
  static let mistakes = Option(
    "mistakes", value: "N", default: 10, in: 0...1_000_000,
    help: "How many of the most confident mistakes to list.")
  static let json = Flag("json", help: "Print one JSON object instead of text.")

  static let command = Command(
    "inkling-evaluate", summary: "Says how good a model is on test images.",
    sections: [
      .init("Model and data", [model, compare] + data.list),
      .init("Report", [report, mistakes, json, threadsOption]),
    ],
    examples: [
      "inkling-evaluate --model runs/lenet5 --data Data/mnist --report report.html",
      "inkling-evaluate --model runs/lenet5 --compare runs/cnn --data Data/mnist",
    ])
}

@main
enum Main {
  private typealias Options = EvaluateOptions

  static func main() {
    Options.command.run { arguments in
      let threads = arguments[threadsOption]
      let first = try JudgedModel(arguments[Options.model])
      let second = try arguments[Options.compare].map { try JudgedModel($0) }
      let data = try Options.data.location(arguments, command: Options.command)
        .load(.test, classes: first.classes)
      for model in [first, second].compactMap(\.self) {
        try model.requireFit(data, isTransposed: arguments[Options.data.transpose])
      }
      let predictions = first.predictions(for: data, threads: threads)
      let evaluation = try Evaluation(
        probabilities: predictions.probabilities, truth: predictions.truths, losses: predictions.losses,
        classes: data.classes, mistakes: arguments[Options.mistakes])
      let rival = try second.map { second in
        EvaluationPage.Rival(
          name: second.path,
          comparison: try Comparison(
            predictions, second.predictions(for: data, threads: threads), classes: data.classes))
      }
      if let path = arguments[Options.report] {
        try EvaluationPage(evaluation, predictions, on: data, model: first.path, rival: rival).write(to: path)
      }
      try show(evaluation, of: first.path, on: data, rival: rival, arguments)
    }
  }

  private static func show(
    _ evaluation: Evaluation, of path: String, on data: Dataset, rival: EvaluationPage.Rival?,
    _ arguments: ParsedArguments
  ) throws {
    if let rival {
      let names = (first: path, second: rival.name)
      if arguments[Options.json] {
        printJSON(try ComparisonJSON(rival.comparison, names: names).encoded())
      } else {
        print("on \(data.source)\n")
        print(rival.comparison.text(names: names, limit: arguments[Options.mistakes]))
      }
    } else if arguments[Options.json] {
      printJSON(try EvaluationJSON(evaluation).encoded())
    } else {
      print("\(path) on \(data.source)\n\n\(evaluation.text(inColor: Terminal.standardOutput.allowsColor))")
    }
    if let report = arguments[Options.report], !arguments[Options.json] { print("\nreport  \(report)") }
  }

  private static func printJSON(_ object: Data) {
    print(String(decoding: object, as: UTF8.self))
  }
}
