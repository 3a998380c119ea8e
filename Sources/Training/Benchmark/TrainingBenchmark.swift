import Datasets
import Tensors

/// Measures steps of training as `Trainer` takes them: images a second, and where the time goes.
package struct TrainingBenchmark {
  package var architecture: Architecture
  package var batchSize = 64
  package var threads = 1
  package var optimizer: OptimizerSettings
  package var augmentation = Augmentation.none

  package init(architecture: Architecture, optimizer: OptimizerSettings) {
    self.architecture = architecture
    self.optimizer = optimizer
  }

  package struct Result: Sendable {
    /// One figure a repetition, in their order.
    package var imagesPerSecond: [Double] = []
    /// Seconds an image of one more run, with a clock around each pass; all workers together.
    package var parts: [Part] = []
    /// Multiply-adds an image, forward and backward.
    package var multiplyAdds = 0
  }

  /// A stretch of the work on an image.
  package struct Part: Sendable {
    package let layer: String
    package let pass: String
    package let secondsPerImage: Double
    /// 0 where the work is not one of products.
    package let multiplyAdds: Int
  }

  /// Trains on `data` for `repeats` times `seconds`, after a warm-up; then once more with the clocks on.
  package func run(on data: Dataset, seconds: Double, repeats: Int) throws -> Result {
    let steps = try TrainingSteps(self, on: data)
    _ = train(steps, seconds: 0.2)
    var result = Result()
    for _ in 0..<repeats {
      let (images, elapsed) = train(steps, seconds: seconds)
      result.imagesPerSecond.append(Double(images) / elapsed)
    }
    let times = StepTimes(layers: architecture.layers.count, workers: threads)
    steps.times = times
    let (images, _) = train(steps, seconds: seconds)
    result.parts = parts(times, images: images)
    result.multiplyAdds = result.parts.reduce(0) { $0 + $1.multiplyAdds }
    return result
  }

  private func train(_ steps: TrainingSteps, seconds: Double) -> (images: Int, elapsed: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    var (images, elapsed) = (0, 0.0)
    while elapsed < seconds {
      // The clock is read every few steps.
      images += steps.take(5)
      elapsed = (clock.now - start) / .seconds(1)
    }
    return (images, elapsed)
  }

  private func parts(_ times: StepTimes, images: Int) -> [Part] {
    func part(_ layer: String, _ pass: String, _ seconds: Double, _ multiplyAdds: Int = 0) -> Part {
      Part(layer: layer, pass: pass, secondsPerImage: seconds / Double(images), multiplyAdds: multiplyAdds)
    }
    var parts = [part("images", "load", times.load)]
    var hasTrainable = false
    for (position, layer) in architecture.layers.enumerated() {
      let input = architecture.input(of: position)
      let once = layer.rule.multiplyAdds(from: input, to: architecture.outputs[position])
      let isTrainable = !layer.rule.parameters(for: input).isEmpty
      parts.append(part("\(layer)", "forward", times.forward(layer: position), once))
      // By the weights, and by the input where a layer before needs it.
      let backward = once * ((isTrainable ? 1 : 0) + (hasTrainable ? 1 : 0))
      parts.append(part("\(layer)", "backward", times.backward(layer: position), backward))
      hasTrainable = hasTrainable || isTrainable
    }
    parts.append(part("loss", "both", times.loss))
    parts.append(part("gradients", "sum", times.sum))
    parts.append(part("parameters", "update", times.update))
    return parts
  }
}
