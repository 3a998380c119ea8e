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

  /// A runner for batches of up to `batchSize` images; more threads than such a batch has shards are not used.
  convenience init(architecture: Architecture, batchSize: Int, threads: Int, kernels: KernelSet = .current) {
    self.init(
      architecture: architecture, batchSize: batchSize, pool: WorkerPool(threads: threads), kernels: kernels)
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

  /// Computes the gradient of a batch's mean loss by everything trainable.
  ///
  /// `values` is the model's flat buffer, whose running statistics move; `gradient` is overwritten.
  func differentiate(
    values: UnsafeMutablePointer<Float>, gradient: UnsafeMutablePointer<Float>,
    labels: UnsafeBufferPointer<UInt16>, loss: SoftmaxCrossEntropy, seed: UInt64, step: Int, fill: Fill
  ) -> StepOutcome {
    guard let firstLabel = labels.baseAddress else { return StepOutcome(loss: 0, correct: 0) }
    let count = labels.count
    let shards = ExecutionPlan.shardCount(count)
    var totalWeight: Float = 0
    for label in labels { totalWeight += loss.weight(of: label) }
    let scale = 1 / totalWeight
    prepare(values)

    func run(_ shard: Int, worker: Int) -> ShardRun {
      let images = ExecutionPlan.images(ofShard: shard, count: count)
      return ShardRun(
        plan: plan, memory: memory, kernels: kernels, worker: worker, shard: shard, values: values,
        images: images, firstRow: images.lowerBound,
        mode: .training(seed: seed, step: step, firstImage: images.lowerBound, layer: 0), times: times)
    }

    let last = plan.stages.count - 1
    for stage in 0..<last {
      pool.forEach(shards, limit: memory.workers) { worker, shard in
        let run = run(shard, worker: worker)
        if stage == 0 { run.load(fill) }
        run.forward(stage, normalization: statistics(before: stage))
        normalizations[stage].measure(run.pass(firstStep(of: stage + 1)), shard)
      }
      normalizations[stage].conclude(shards: shards, values: values)
    }
    for stage in (0...last).reversed() {
      let gradientCount = plan.stages[stage].shardGradientCount
      memory.gradients.begin(shards: shards)
      pool.forEach(shards, limit: memory.workers) { worker, shard in
        let run = run(shard, worker: worker)
        if stage == last {
          if stage == 0 { run.load(fill) }
          run.forward(stage, normalization: statistics(before: stage))
          outcomes[shard] = run.differentiate(loss, labels: firstLabel + run.images.lowerBound, scale: scale)
        } else {
          let next = firstStep(of: stage + 1)
          run.propagate(next, normalizations[stage].batch, totals: gradient + next.trainable.lowerBound)
        }
        let buffer = memory.gradients.takeBuffer()
        buffer.values.update(repeating: 0, count: gradientCount)
        run.backward(stage, normalization: statistics(before: stage), addingTo: buffer.values)
        measured(.sum, worker: worker) {
          memory.gradients.add(
            buffer.index, ofShard: shard, count: gradientCount, total: memory.shardTotal.values)
        }
      }
      for step in plan.steps[plan.stages[stage].steps] where step.memory.shardGradient > 0 {
        step.rule.conclude(
          shardGradient: memory.shardTotal.values + step.shardGradientOffset,
          into: gradient + step.trainable.lowerBound, for: step.input)
      }
    }
    differentiateOverBatch(count, gradient)
    return outcome(shards: shards, totalWeight: totalWeight)
  }

  /// The parts of the gradient that are taken over the whole batch.
  private func differentiateOverBatch(_ count: Int, _ gradient: UnsafeMutablePointer<Float>) {
    pool.forEach(plan.batchParts.count, limit: memory.workers) { worker, index in
      let part = plan.batchParts[index]
      let step = plan.steps[part.step]
      func values(_ place: Place) -> UnsafeMutablePointer<Float> {
        memory.values(place, shard: 0, worker: worker, firstRow: 0, image: 0)
      }
      measured(.batchBackward(step), worker: worker) {
        step.rule.backward(
          part: part.part,
          BatchPass(
            count: count, inputShape: step.input, input: values(step.inputPlace),
            outputGradient: values(step.outputGradient), trainable: gradient + step.trainable.lowerBound,
            scratch: memory.scratch(worker: worker), kernels: kernels))
      }
    }
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
    pool.forEach(ExecutionPlan.shardCount(count), limit: memory.workers) { worker, shard in
      // Each worker goes through its shards in one place, since there may be more of them than in a batch.
      let run = ShardRun(
        plan: plan, memory: memory, kernels: kernels, worker: worker, shard: worker, values: values,
        images: ExecutionPlan.images(ofShard: shard, count: count),
        firstRow: worker * ExecutionPlan.shardSize, mode: .evaluation, times: nil)
      run.load(fill)
      for stage in plan.stages.indices { run.forward(stage, normalization: nil) }
      body(run.images, run.logits)
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
