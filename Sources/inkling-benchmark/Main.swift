import Arguments
import HostInference
import RuntimePrograms

enum BenchmarkOptions {
  static let model = Option<String>(
    "model", value: "FILE", help: "An .ink file, as inkling-export writes it.")
  static let kernels = Option<String?>(
    "kernels", value: "NAME", otherwise: "the best that this processor has",
    help: "An instruction set: \(Network.kernelSets.joined(separator: ", ")).")
  static let seconds = Option<Double>(
    "seconds", value: "S", default: 1, in: 0.01...600, help: "How long each of the measurements takes.")
  static let json = Flag("json", help: "Print one JSON object instead of text.")

  static let command = Command(
    "inkling-benchmark", summary: "Measures how fast an exported model is on this machine, on one thread.",
    options: [model, kernels, seconds, json], examples: ["inkling-benchmark --model lenet5.ink"])
}

@main
enum Main {
  private typealias Options = BenchmarkOptions

  static func main() {
    Options.command.run { arguments in
      let kernels = arguments[Options.kernels]
      if let kernels, !Network.kernelSets.contains(kernels) {
        throw Options.command.usageError(
          "--kernels: expected one of \(Network.kernelSets.joined(separator: ", ")), found '\(kernels)'")
      }
      let result = try LatencyBenchmark(
        path: arguments[Options.model], kernels: kernels, seconds: arguments[Options.seconds]
      ).run()
      print(arguments[Options.json] ? try result.encoded() : result.text)
    }
  }
}
