import Arguments
import Datasets
import Dispatch
import Foundation
import PlainText
import Programs
import Reports
import Training

@main
enum Main {
  static func main() {
    TrainOptions.command.run { arguments in
      if let path = arguments[TrainOptions.report] {
        try requireOnly(
          [TrainOptions.report.name], arguments, advice: "does not go with --report, which only reads a run")
        let page = try RunPage(folder: path)
        try page.write()
        print("report  \(page.path)")
      } else if let path = arguments[TrainOptions.resume] {
        try requireOnly(
          [TrainOptions.resume.name, threadsOption.name] + TrainOptions.data.placeOptionNames, arguments,
          advice: "cannot be changed in a run that is resumed; start another with --init")
        let folder = try RunFolder.open(path)
        try train(try Run(resuming: folder, arguments), in: folder, arguments)
      } else {
        let run = try Run(new: arguments)
        let architecture = try Architecture(input: run.data.shape, parsing: run.configuration.layers)
        if arguments[TrainOptions.summary] {
          print(architecture.summary)
        } else {
          try train(run, in: try RunFolder.create(run.path), arguments)
        }
      }
    }
  }

  private static func train(_ run: Run, in folder: RunFolder, _ arguments: ParsedArguments) throws {
    let configuration = run.configuration
    let trainer = try Trainer(
      configuration, data: run.data, start: run.start, threads: arguments[threadsOption], folder: folder)
    for warning in run.data.warnings { Terminal.writeError("inkling-train: warning: \(warning)\n") }
    if case .checkpoint(let checkpoint) = run.start, let warning = checkpoint.numericsWarning {
      Terminal.writeError("inkling-train: warning: \(warning)\n")
    }

    if let text = run.startText { print("start       \(text)") }
    let trained = run.data.count - configuration.validationCount
    print(
      "network     \(configuration.layers)\n"
        + "data        \(run.data.source)\n"
        + "images      \(trained.groupedDigits) to train on, "
        + "\(configuration.validationCount.groupedDigits) set aside for validation")
    if trainer.progress.epoch == configuration.epochs {
      print("nothing left to do: all \(configuration.epochs.groupedDigits) epochs are done")
    }
    fflush(nil)

    let stop = StopSignal()
    let interrupts = Interrupts(setting: stop)
    var display = ProgressDisplay(
      epochs: configuration.epochs, images: (training: trained, validation: configuration.validationCount))
    let outcome: TrainingOutcome
    do {
      // Whatever comes next, be it an error, stands on a line of its own.
      defer { display.finish() }
      outcome = try trainer.run(stop: stop) { display.show($0) }
    }
    interrupts.restore()

    if outcome == .interrupted {
      throw Interruption(folder: folder.path)
    }
    if outcome == .stoppedEarly, let patience = configuration.patience {
      print("stopped: no better validation result for \(patience) epochs")
    }
    print(
      "best model  \(folder.bestPath)\(bestText(trainer.progress, configuration))\nrun folder  \(folder.path)"
    )
  }

  /// How good the best epoch was.
  private static func bestText(
    _ progress: TrainingProgress, _ configuration: TrainingConfiguration
  ) -> String {
    guard let epoch = progress.bestEpoch else { return "" }
    let validation = progress.bestAccuracy.map {
      ", validation accuracy " + $0.percent(images: configuration.validationCount)
    }
    return "  (epoch \(epoch)\(validation ?? ""))"
  }

  /// Throws a `UsageError` with the given advice for the first other option.
  private static func requireOnly(
    _ allowed: [String], _ arguments: ParsedArguments, advice: String
  ) throws(UsageError) {
    if let other = arguments.givenNames.first(where: { !allowed.contains($0) }) {
      throw TrainOptions.command.usageError("--\(other) \(advice)")
    }
  }
}

/// Ctrl-C: not a fault, but not a finished run either.
struct Interruption: ExitStatusProviding, CustomStringConvertible {
  let folder: String
  let exitStatus = ExitStatus.interrupted

  var description: String {
    let plain = folder.allSatisfy { $0.isLetter || $0.isNumber || "/._-+".contains($0) }
    let path = plain ? folder : "'" + folder.replacing("'", with: "'\\''") + "'"
    return "stopped and saved; go on with: inkling-train --resume \(path)"
  }
}

/// Turns the first SIGINT or SIGTERM into a request to save and stop; a second one ends the process at once.
final class Interrupts {
  private let sources: [any DispatchSourceSignal]

  init(setting stop: StopSignal) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        stop.set()
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  func restore() {
    for source in sources { source.cancel() }
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }
}
