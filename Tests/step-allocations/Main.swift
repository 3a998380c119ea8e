import AllocationCounter
import Datasets
import Foundation
import Tensors
import Training

/// Prints how often steps of training ask for memory, a line for each network and number of threads.
///
/// A program of its own, since other tests in the same process would be counted too.
@main
enum Main {
  static func main() throws {
    // First a thing that does, so that a counter that counts nothing is noticed.
    allocation_counter_start()
    let some = [Int](repeating: 1, count: 1000)
    let control = allocation_counter_stop()
    print("array of \(some.count): \(control)")

    let data = digits(110 * 20)
    for preset in [Preset.lenet5, .cnn, .mlp] {
      for threads in [1, 2] {
        let architecture = try Architecture(input: data.shape, parsing: preset.text(classes: 10))
        var benchmark = TrainingBenchmark(
          architecture: architecture, optimizer: OptimizerSettings(rule: .usualAdamW, weightDecay: 0.3))
        benchmark.batchSize = 20
        benchmark.threads = threads
        let steps = try TrainingSteps(benchmark, on: data)
        // Time for the workers' threads to start, to fall asleep and to be woken: each asks for memory the first time.
        usleep(300_000)
        steps.take(3)
        usleep(10_000)
        steps.take(3)
        allocation_counter_start()
        steps.take(100)
        let count = allocation_counter_stop()
        print("\(preset) with \(threads): \(count)")
      }
    }
  }

  /// Noise of ten classes.
  private static func digits(_ count: Int) -> Dataset {
    var random = RandomStream(seed: 1, stream: .initialization)
    let shape = ImageShape(channels: 1, height: 28, width: 28)
    return Dataset(
      shape: shape,
      pixels: (0..<count * shape.count).map { _ in UInt8(truncatingIfNeeded: random.nextWord()) },
      labels: (0..<count).map { UInt16($0 % 10) }, classes: ClassTable(values: Array(0..<10)), source: "noise"
    )
  }
}
