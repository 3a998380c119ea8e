import Tensors

/// Runs batches through a network, forward and backward, shard by shard on several threads.
///
/// All memory is allocated at the start. Results have the same bits for any number of threads.
final class BatchRunner {
  /// Writes image number `image` of the batch to `pixels`, [C, H, W]; `worker` names scratch memory.
  typealias Fill = (_ worker: Int, _ image: Int, _ pixels: UnsafeMutablePointer<Float>) -> Void

  private let plan: ExecutionPlan
  private let pool: WorkerPool
  /// One a shard if shards wait for each other between stages, else one a worker.
  private let arenas: [Arena]
  private let scratch: [Arena]
  private let gradients: GradientTree
  private let normalizations: [NormalizationMemory]
  private let outcomes: UnsafeMutableBufferPointer<SoftmaxCrossEntropy.Outcome>

  /// A runner for batches of up to `batchSize` images; more threads than such a batch has shards are not used.
  init(architecture: Architecture, batchSize: Int, threads: Int) {
    BLAS.useOneThread()
    let size = Size(architecture, batchSize: batchSize, threads: threads)
    let (plan, shards) = (size.plan, size.shards)
    self.plan = plan
    pool = WorkerPool(threads: size.threads)
    arenas = (0..<size.arenas).map { _ in
      Arena(valueCount: plan.arenaCount, byteCount: plan.savedByteCount)
    }
    scratch = (0..<size.threads).map { _ in Arena(valueCount: plan.scratchCount) }
    gradients = GradientTree(length: size.gradientCount, shards: shards, threads: size.threads)
    normalizations = plan.stages.dropFirst().map {
      NormalizationMemory(plan.steps[$0.steps.lowerBound], shards: shards)
    }
    outcomes = .allocate(capacity: shards)
    outcomes.initialize(repeating: SoftmaxCrossEntropy.Outcome())
  }

  deinit {
    outcomes.deallocate()
  }

  /// The memory that a runner would need.
  static func byteCount(architecture: Architecture, batchSize: Int, threads: Int) -> Int {
    let size = Size(architecture, batchSize: batchSize, threads: threads)
    let values =
      size.arenas * size.plan.arenaCount + size.threads * size.plan.scratchCount
      + GradientTree.bufferCount(shards: size.shards, threads: size.threads) * size.gradientCount
    return values * MemoryLayout<Float>.size + size.arenas * size.plan.savedByteCount
  }

  /// How much of everything a runner holds.
  private struct Size {
    let plan: ExecutionPlan
    let shards: Int
    let threads: Int
    let arenas: Int
    /// Values of the longest stage's gradient.
    let gradientCount: Int

    init(_ architecture: Architecture, batchSize: Int, threads: Int) {
      plan = ExecutionPlan(architecture)
      shards = max(1, ExecutionPlan.shardCount(batchSize))
      self.threads = min(threads, shards)
      arenas = plan.stages.count > 1 ? shards : self.threads
      gradientCount = plan.stages.map(\.trainable.count).max() ?? 0
    }
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

    func run(_ shard: Int, worker: Int) -> ShardRun {
      let images = ExecutionPlan.images(ofShard: shard, count: count)
      return ShardRun(
        plan: plan, arena: arenas[plan.stages.count > 1 ? shard : worker], scratch: scratch[worker].values,
        values: values, images: images,
        mode: .training(seed: seed, step: step, firstImage: images.lowerBound, layer: 0))
    }

    let last = plan.stages.count - 1
    for stage in 0..<last {
      pool.forEach(shards) { worker, shard in
        let run = run(shard, worker: worker)
        if stage == 0 { run.load(worker: worker, fill) }
        run.forward(stage, normalizations)
        normalizations[stage].measure(run.pass(plan.steps[plan.stages[stage + 1].steps.lowerBound]), shard)
      }
      normalizations[stage].conclude(shards: shards, values: values)
    }
    for stage in (0...last).reversed() {
      let range = plan.stages[stage].trainable
      gradients.begin(shards: shards)
      pool.forEach(shards) { worker, shard in
        let run = run(shard, worker: worker)
        if stage == last {
          if stage == 0 { run.load(worker: worker, fill) }
          run.forward(stage, normalizations)
          outcomes[shard] = run.differentiate(loss, labels: firstLabel + run.images.lowerBound, scale: scale)
        } else {
          let next = plan.steps[plan.stages[stage + 1].steps.lowerBound]
          run.propagate(next, normalizations[stage], totals: gradient + next.trainable.lowerBound)
        }
        let buffer = gradients.takeBuffer()
        run.backward(stage, normalizations, into: buffer.values)
        gradients.add(
          buffer.index, ofShard: shard, count: range.count, total: gradient + range.lowerBound)
      }
    }

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
    pool.forEach(ExecutionPlan.shardCount(count)) { worker, shard in
      let run = ShardRun(
        plan: plan, arena: arenas[worker], scratch: scratch[worker].values, values: values,
        images: ExecutionPlan.images(ofShard: shard, count: count), mode: .evaluation)
      run.load(worker: worker, fill)
      for step in plan.steps { step.rule.forward(run.pass(step)) }
      body(run.images, run.logits)
    }
  }
}
