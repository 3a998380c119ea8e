import Tensors

/// Runs batches through a network, forward and backward, shard by shard on several threads.
///
/// All memory is allocated at the start. Results have the same bits for any number of threads.
final class BatchRunner {
  /// Writes image number `image` of the batch to `pixels`, [C, H, W]; `worker` names scratch memory.
  typealias Fill = (_ worker: Int, _ image: Int, _ pixels: UnsafeMutablePointer<Float>) -> Void

  private let plan: ExecutionPlan
  private let pool: WorkerPool
  private let memory: RunnerMemory
  private let kernels: KernelSet
  private let normalizations: [NormalizationMemory]
  private let outcomes: UnsafeMutableBufferPointer<SoftmaxCrossEntropy.Outcome>
  /// Where times are added up, if they are asked for.
  var times: StepTimes?
  // What is done with a shard or a part of the batch in work: made once, so that a step asks for no memory.
  private var batch: Batch?
  private var runForward: WorkerPool.Body = { _, _ in }
  private var runBackward: WorkerPool.Body = { _, _ in }
  private var runPart: WorkerPool.Body = { _, _ in }

  /// A runner for batches of up to `batchSize` images; more threads than such a batch has shards are not used.
  convenience init(architecture: Architecture, batchSize: Int, threads: Int, kernels: KernelSet = .current) {
    self.init(
      architecture: architecture, batchSize: batchSize,
      pool: WorkerPool(threads: min(threads, max(1, ExecutionPlan.shardCount(batchSize)))), kernels: kernels)
  }

  /// The same on the workers of a pool.
  init(architecture: Architecture, batchSize: Int, pool: WorkerPool, kernels: KernelSet = .current) {
    BLAS.useOneThread()
    let plan = ExecutionPlan(architecture)
    let memory = RunnerMemory(plan, batchSize: batchSize, threads: pool.threads)
    self.plan = plan
    self.memory = memory
    self.kernels = kernels
    self.pool = pool
    normalizations = plan.stages.dropFirst().map {
      NormalizationMemory(plan.steps[$0.steps.lowerBound], shards: memory.shards)
    }
    outcomes = .allocate(capacity: memory.shards)
    outcomes.initialize(repeating: SoftmaxCrossEntropy.Outcome())
    runForward = { [unowned self] in forward(worker: $0, shard: $1) }
    runBackward = { [unowned self] in backward(worker: $0, shard: $1) }
    runPart = { [unowned self] in differentiatePart(worker: $0, index: $1) }
  }

  deinit {
    outcomes.deallocate()
  }

  /// The memory that a runner would need.
  static func byteCount(architecture: Architecture, batchSize: Int, threads: Int) -> Int {
    RunnerMemory.byteCount(ExecutionPlan(architecture), batchSize: batchSize, threads: threads)
  }

  /// What a step of training found.
  struct StepOutcome {
    /// The batch's mean loss.
    var loss: Double
    var correct: Int
  }

  /// The batch in work.
  private struct Batch {
    let values: UnsafeMutablePointer<Float>
    let gradient: UnsafeMutablePointer<Float>
    let labels: UnsafePointer<UInt16>
    let count: Int
    let loss: SoftmaxCrossEntropy
    /// What each image's derivative is multiplied by.
    let scale: Float
    let seed: UInt64
    let step: Int
    let fill: Fill
    /// The stage in work.
    var stage = 0
  }

  /// Computes the gradient of a batch's mean loss by everything trainable.
  ///
  /// `values` is the model's flat buffer, whose running statistics move; `gradient` is overwritten.
  func differentiate(
    values: UnsafeMutablePointer<Float>, gradient: UnsafeMutablePointer<Float>,
    labels: UnsafeBufferPointer<UInt16>, loss: SoftmaxCrossEntropy, seed: UInt64, step: Int,
    fill: @escaping Fill
  ) -> StepOutcome {
    guard let firstLabel = labels.baseAddress else { return StepOutcome(loss: 0, correct: 0) }
    let shards = ExecutionPlan.shardCount(labels.count)
    precondition(shards <= memory.shards, "the batch is larger than the runner was made for")
    var totalWeight: Float = 0
    for label in labels { totalWeight += loss.weight(of: label) }
    prepare(values)
    batch = Batch(
      values: values, gradient: gradient, labels: firstLabel, count: labels.count, loss: loss,
      scale: 1 / totalWeight, seed: seed, step: step, fill: fill)

    let last = plan.stages.count - 1
    for stage in 0..<last {
      batch?.stage = stage
      pool.forEach(shards, limit: memory.workers, runForward)
      normalizations[stage].conclude(shards: shards, values: values)
    }
    for stage in (0...last).reversed() {
      batch?.stage = stage
      memory.gradients.begin(shards: shards)
      pool.forEach(shards, limit: memory.workers, runBackward)
      for index in plan.stages[stage].steps where plan.steps[index].memory.shardGradient > 0 {
        let step = plan.steps[index]
        step.rule.conclude(
          shardGradient: memory.shardTotal.values + step.shardGradientOffset,
          into: gradient + step.trainable.lowerBound, for: step.input)
      }
    }
    pool.forEach(plan.batchParts.count, limit: memory.workers, runPart)
    batch = nil
    return outcome(shards: shards, totalWeight: totalWeight)
  }

  /// Takes a shard through a stage that others have to wait for.
  private func forward(worker: Int, shard: Int) {
    guard let batch else { return }
    let (run, stage) = (run(batch, shard, worker: worker), batch.stage)
    if stage == 0 { run.load(batch.fill) }
    run.forward(stage, normalization: statistics(before: stage))
    normalizations[stage].measure(run.pass(firstStep(of: stage + 1)), shard)
  }

  /// Takes a shard back through a stage; in the last one, forward first.
  private func backward(worker: Int, shard: Int) {
    guard let batch else { return }
    let (run, stage) = (run(batch, shard, worker: worker), batch.stage)
    if stage == plan.stages.count - 1 {
      if stage == 0 { run.load(batch.fill) }
      run.forward(stage, normalization: statistics(before: stage))
      outcomes[shard] = run.differentiate(
        batch.loss, labels: batch.labels + run.images.lowerBound, scale: batch.scale)
    } else {
      let next = firstStep(of: stage + 1)
      run.propagate(
        next, normalizations[stage].batch, totals: batch.gradient + next.trainable.lowerBound)
    }
    let gradientCount = plan.stages[stage].shardGradientCount
    let buffer = memory.gradients.takeBuffer()
    buffer.values.update(repeating: 0, count: gradientCount)
    run.backward(stage, normalization: statistics(before: stage), addingTo: buffer.values)
    measured(.sum, worker: worker) {
      memory.gradients.add(
        buffer.index, ofShard: shard, count: gradientCount, total: memory.shardTotal.values)
    }
  }

  /// Computes a part of the gradient that is taken over the whole batch.
  private func differentiatePart(worker: Int, index: Int) {
    guard let batch else { return }
    let part = plan.batchParts[index]
    let step = plan.steps[part.step]
    func values(_ place: Place) -> UnsafeMutablePointer<Float> {
      memory.values(place, shard: 0, worker: worker, firstRow: 0, image: 0)
    }
    measured(.batchBackward(step), worker: worker) {
      step.rule.backward(
        part: part.part,
        BatchPass(
          count: batch.count, inputShape: step.input, input: values(step.inputPlace),
          outputGradient: values(step.outputGradient),
          trainable: batch.gradient + step.trainable.lowerBound,
          scratch: memory.scratch(worker: worker), kernels: kernels))
    }
  }

  private func run(_ batch: Batch, _ shard: Int, worker: Int) -> ShardRun {
    let images = ExecutionPlan.images(ofShard: shard, count: batch.count)
    return ShardRun(
      plan: plan, memory: memory, kernels: kernels, worker: worker, shard: shard, values: batch.values,
      images: images, firstRow: images.lowerBound,
      mode: .training(seed: batch.seed, step: batch.step, firstImage: images.lowerBound, layer: 0),
      times: times)
  }

  private func outcome(shards: Int, totalWeight: Float) -> StepOutcome {
    var outcome = StepOutcome(loss: 0, correct: 0)
    for shard in 0..<shards {
      outcome.loss += outcomes[shard].loss
      outcome.correct += outcomes[shard].correct
    }
    outcome.loss /= Double(totalWeight)
    return outcome
  }

  /// Runs `count` images forward as evaluation does, and hands out each shard's logits [images, classes],
  /// which may be overwritten; shards come in any order and from several threads.
  func evaluate(
    values: UnsafeMutablePointer<Float>, count: Int, fill: Fill,
    _ body: (_ images: Range<Int>, _ logits: UnsafeMutablePointer<Float>) -> Void
  ) {
    prepare(values)
    func run(worker: Int, shard: Int) {
      // Each worker goes through its shards in one place, since there may be more of them than in a batch.
      let run = ShardRun(
        plan: plan, memory: memory, kernels: kernels, worker: worker, shard: worker, values: values,
        images: ExecutionPlan.images(ofShard: shard, count: count),
        firstRow: worker * ExecutionPlan.shardSize, mode: .evaluation, times: nil)
      run.load(fill)
      for stage in plan.stages.indices { run.forward(stage, normalization: nil) }
      body(run.images, run.logits)
    }
    withoutActuallyEscaping(run) {
      pool.forEach(ExecutionPlan.shardCount(count), limit: memory.workers, $0)
    }
  }

  /// Lays the parameters out for the kernels.
  private func prepare(_ values: UnsafeMutablePointer<Float>) {
    for step in plan.steps where step.memory.prepared > 0 {
      step.rule.prepare(memory.parameters(step, values: values), for: step.input, kernels: kernels)
    }
  }

  private func firstStep(of stage: Int) -> ExecutionPlan.Step {
    plan.steps[plan.stages[stage].steps.lowerBound]
  }

  /// What the batch normalisation in front of a stage goes by.
  private func statistics(before stage: Int) -> BatchStatistics? {
    stage == 0 ? nil : normalizations[stage - 1].batch
  }

  private func measured(_ slot: StepTimes.Slot, worker: Int, _ body: () -> Void) {
    if let times { times.measure(slot, worker: worker, body) } else { body() }
  }
}
