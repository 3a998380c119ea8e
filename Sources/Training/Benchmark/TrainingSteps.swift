import Datasets

/// Training without an end, for measurements: whole batches, and steps so small that the weights stay sound.
package final class TrainingSteps {
  private let runner: StepRunner
  private let wholeBatches: Int
  private var epoch = 0
  private var order: [Int32] = []
  private var stepInEpoch = 0
  private var step = 0

  package init(_ benchmark: TrainingBenchmark, on data: Dataset) throws {
    let batches = Batches(
      data, members: Array(0..<Int32(data.count)), batchSize: benchmark.batchSize, seed: 1,
      augmentation: benchmark.augmentation)
    wholeBatches = max(1, data.count / benchmark.batchSize)
    runner = StepRunner(
      try Model(architecture: benchmark.architecture, seed: 1), batches: batches,
      optimizer: benchmark.optimizer,
      averageDecay: nil, loss: SoftmaxCrossEntropy(), threads: benchmark.threads)
  }

  /// Where the time of steps is added up, if that is asked for.
  package var times: StepTimes? {
    get { runner.times }
    set { runner.times = newValue }
  }

  /// Takes so many steps, and returns the number of images in them.
  @discardableResult
  package func take(_ count: Int) -> Int {
    var images = 0
    for _ in 0..<count {
      if order.isEmpty || stepInEpoch == wholeBatches {
        order = runner.batches.order(epoch: epoch)
        epoch += 1
        stepInEpoch = 0
      }
      let members = order[runner.batches.range(step: stepInEpoch)]
      _ = runner.differentiate(members, epoch: epoch, step: step)
      runner.update(step: step, rate: 1e-4)
      images += members.count
      stepInEpoch += 1
      step += 1
    }
    return images
  }
}
