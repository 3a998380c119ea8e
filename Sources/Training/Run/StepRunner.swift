import Datasets
import Tensors

/// A model in training, and what a step on a batch needs; the model's numbers lie in memory that never moves.
final class StepRunner {
  let batches: Batches
  let values: Arena
  let state: Arena
  /// The moving average of the model's numbers, where one is kept.
  let average: Arena?
  let runner: BatchRunner
  private let table: ParameterTable
  private let optimizer: Optimizer
  private let averageDecay: Float?
  private let loss: SoftmaxCrossEntropy
  private let gradient: Arena
  private let pool: WorkerPool
  private let augmentationScratch: [AugmentationScratch]
  private var labels: [UInt16] = []
  // The batch in work, and what is done with its parts: made once, so that a step asks for no memory.
  private var members: ArraySlice<Int32> = []
  private var epoch = 0
  private var optimizerStep = Optimizer.Step(number: 0, rate: 0, scale: 1)
  private var fill: BatchRunner.Fill = { _, _, _ in }
  private var updateChunk: WorkerPool.Body = { _, _ in }
  private var averageChunk: WorkerPool.Body = { _, _ in }
  /// Where the time of steps is added up, if that is asked for.
  var times: StepTimes? {
    get { runner.times }
    set { runner.times = newValue }
  }

  /// What a run keeps beside the model, where it goes on from an earlier one.
  struct Memory {
    var optimizerState: [Float]
    var average: [Float]?
  }

  init(
    _ model: Model, batches: Batches, optimizer settings: OptimizerSettings, averageDecay: Float?,
    loss: SoftmaxCrossEntropy, threads: Int, memory: Memory? = nil
  ) {
    let batchSize = min(batches.batchSize, batches.members.count)
    self.batches = batches
    self.averageDecay = averageDecay
    self.loss = loss
    table = model.table
    // More workers than a batch has shards would only have the optimiser to do.
    pool = WorkerPool(threads: min(threads, max(1, ExecutionPlan.shardCount(batchSize))))
    runner = BatchRunner(architecture: model.architecture, batchSize: batchSize, pool: pool)
    optimizer = Optimizer(settings, table: model.table)
    augmentationScratch =
      batches.augmentation.isNone
      ? [] : (0..<threads).map { _ in AugmentationScratch(shape: batches.dataset.shape) }
    values = Arena(copying: model.values)
    gradient = Arena(valueCount: model.table.trainableCount)
    state = memory.map { Arena(copying: $0.optimizerState) } ?? Arena(valueCount: optimizer.stateCount)
    average = averageDecay.map { _ in Arena(copying: memory?.average ?? model.values) }
    labels.reserveCapacity(batchSize)
    fill = { [unowned self] worker, image, pixels in
      batches.fill(
        image: members[members.startIndex + image], epoch: epoch, into: pixels,
        scratch: augmentationScratch.isEmpty ? nil : augmentationScratch[worker])
    }
    updateChunk = { [unowned self] worker, chunk in
      measured(worker) {
        optimizer.apply(
          optimizerStep, chunk: chunk, values: values.values, gradient: gradient.values, state: state.values)
      }
    }
    averageChunk = { [unowned self] worker, chunk in
      guard let average, let averageDecay else { return }
      measured(worker) {
        MovingAverage(decay: averageDecay).update(
          chunk: chunk, of: average.values, to: values.values, count: table.count, step: optimizerStep.number)
      }
    }
  }

  /// Values of the optimiser's state.
  var stateCount: Int { optimizer.stateCount }

  /// Computes the gradient of the mean loss of some images; `step` counts all steps of the run.
  func differentiate(_ members: ArraySlice<Int32>, epoch: Int, step: Int) -> BatchRunner.StepOutcome {
    (self.members, self.epoch) = (members, epoch)
    labels.removeAll(keepingCapacity: true)
    for image in members { labels.append(batches.dataset.labels[Int(image)]) }
    return labels.withUnsafeBufferPointer { labels in
      runner.differentiate(
        values: values.values, gradient: gradient.values, labels: labels, loss: loss, seed: batches.seed,
        step: step, fill: fill)
    }
  }

  /// Moves the model, and the average with it, by the gradient of the last batch.
  func update(step: Int, rate: Float) {
    optimizerStep = optimizer.step(step, rate: rate, gradient: gradient.values)
    pool.forEach(optimizer.chunkCount, updateChunk)
    if averageDecay != nil {
      pool.forEach((table.count + MovingAverage.chunkSize - 1) / MovingAverage.chunkSize, averageChunk)
    }
  }

  private func measured(_ worker: Int, _ body: () -> Void) {
    if let times { times.measure(.update, worker: worker, body) } else { body() }
  }
}
