import Arguments
import Datasets
import Foundation
import Programs
import Training

enum EvaluateOptions {
  static let model = Option<String>(
    "model", value: "PATH", help: "A run folder, of which the best checkpoint is taken, or a checkpoint.")
  static let data = DataOptions(.test)
  static let mistakes = Option(
    "mistakes", value: "N", default: 10, in: 0...1_000_000,
    help: "How many of the most confident mistakes to list.")
  static let json = Flag("json", help: "Print one JSON object instead of text.")

  static let command = Command(
    "inkling-evaluate", summary: "Says how good a model is on test images.",
    sections: [
      .init("Model and data", [model] + data.list),
      .init("Report", [mistakes, json, threadsOption]),
    ],
    examples: ["inkling-evaluate --model runs/lenet5 --data Data/mnist"])
}

@main
enum Main {
  private typealias Options = EvaluateOptions

  static func main() {
    Options.command.run { arguments in
      let modelPath = try RunFolder.modelPath(arguments[Options.model])
      let checkpoint = try Checkpoint(contentsOf: modelPath)
      let data = try Options.data.location(arguments, command: Options.command)
        .load(.test, classes: checkpoint.classes)
      warnOfTransposition(checkpoint, arguments)
      let model = checkpoint.deployed
      guard model.architecture.input == data.shape else {
        throw MisfitError(
          "\(data.source): expected images of \(model.architecture.input) as \(modelPath) takes them, "
            + "found \(data.shape); evaluate on data of the same kind")
      }
      let predictions = Predictions(of: model, for: data, threads: arguments[threadsOption])
      let evaluation = try Evaluation(
        probabilities: predictions.probabilities, truth: predictions.truths, losses: predictions.losses,
        classes: data.classes, mistakes: arguments[Options.mistakes])
      if arguments[Options.json] {
        print(String(decoding: try EvaluationJSON(evaluation).encoded(), as: UTF8.self))
      } else {
        print("\(modelPath) on \(data.source)\n\n\(evaluation.text)")
      }
    }
  }

  /// Images on their side are taken for other images, which only shows as a poor result.
  private static func warnOfTransposition(_ checkpoint: Checkpoint, _ arguments: ParsedArguments) {
    guard let trained = checkpoint.configuration?.data.transpose,
      trained != arguments[Options.data.transpose]
    else { return }
    Terminal.writeError(
      "inkling-evaluate: warning: the model was trained \(trained ? "with" : "without") --transpose, "
        + "here the images are read \(trained ? "without" : "with") it\n")
  }
}
