import Arguments
import Datasets
import Foundation
import Programs
import Tensors
import Training

enum BenchmarkOptions {
  enum OptimizerName: String, CaseIterable {
    case sgd, adamw

    var settings: OptimizerSettings {
      switch self {
      case .sgd: OptimizerSettings(rule: .sgd(momentum: 0.9, nesterov: false))
      case .adamw: OptimizerSettings(rule: .usualAdamW, weightDecay: 0.3)
      }
    }
  }

  static let data = DataOptions(.training)
  static let networks = Option(
    "networks", value: "LIST", default: [Preset.cnn, .lenet5, .mlp], help: "Presets, with commas between.")
  static let batchSizes = Option(
    "batch-sizes", value: "LIST", default: [64], eachIn: 1...65_536, help: "Images in a batch.")
  static let threads = Option(
    "threads", value: "LIST", default: [1, 2], eachIn: 1...1024, help: "Workers.")
  static let widths = Option(
    "widths", value: "LIST", default: [1], eachIn: 1...64,
    help: "Multiples of the preset's filters and hidden units.")
  static let optimizer = Option(
    "optimizer", value: "NAME", default: OptimizerName.sgd, help: "SGD with momentum 0.9, or AdamW.")
  static let augment = Option(
    "augment", value: "LIST", default: "none", help: "Augmentation, as inkling-train takes it.")
  static let repeats = Option(
    "repeats", value: "N", default: 5, in: 1...1000, help: "Measurements of each case.")
  static let seconds = Option(
    "seconds", value: "X", default: 2.0, in: 0.01...1000, help: "How long one takes at least.")
  static let brief = Flag("brief", help: "Leave out where the time goes.")
  static let json = Flag("json", help: "Print one JSON object instead of text.")

  static let command = Command(
    "benchmark-training", summary: "Measures how fast networks train, and where the time goes.",
    sections: [
      .init("What is trained", [networks, widths, batchSizes, threads, optimizer, augment] + data.list),
      .init("How it is measured", [repeats, seconds, brief, json]),
    ],
    examples: ["benchmark-training --networks lenet5 --threads 1,2 --batch-sizes 16,64,256"])
}

@main
enum Main {
  private typealias Options = BenchmarkOptions

  static func main() {
    Options.command.run { arguments in
      let data = try Options.data.location(arguments, command: Options.command).load(.training)
      let augmentation = try Augmentation(parsing: arguments[Options.augment])
      var report = BenchmarkReport(arguments[Options.optimizer].rawValue, augmentation: augmentation)
      for threads in Set(arguments[Options.threads]).sorted() {
        report.peaks.append(.init(threads: threads, gflops: KernelSet.current.peakRate(threads: threads)))
      }
      if !arguments[Options.json] { print(report.heading) }
      for network in arguments[Options.networks] {
        for width in arguments[Options.widths] {
          for batchSize in arguments[Options.batchSizes] {
            for threads in arguments[Options.threads] {
              let architecture = try Architecture(
                input: data.shape, parsing: network.text(classes: data.classes.count)
              ).widened(by: width)
              var benchmark = TrainingBenchmark(
                architecture: architecture, optimizer: arguments[Options.optimizer].settings)
              benchmark.batchSize = min(batchSize, data.count)
              benchmark.threads = threads
              benchmark.augmentation = augmentation
              let result = try benchmark.run(
                on: data, seconds: arguments[Options.seconds], repeats: arguments[Options.repeats])
              let entry = report.add(result, network: network.rawValue, width: width, benchmark)
              if !arguments[Options.json] { print(entry.text(isBrief: arguments[Options.brief])) }
            }
          }
        }
      }
      if arguments[Options.json] { print(String(decoding: try report.encoded(), as: UTF8.self)) }
    }
  }
}
