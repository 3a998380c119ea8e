import Tensors

/// Everything that batches of up to a given size need, allocated once.
final class RunnerMemory {
  let workers: Int
  let shards: Int
  private let plan: ExecutionPlan
  /// One a shard if shards wait for each other between stages, else one a worker.
  private let arenas: [Arena]
  /// For each worker: an image in work, then scratch memory.
  private let working: [Arena]
  private let batch: Arena
  private let batchCapacity: Int
  /// The parameters as the kernels take them.
  private let prepared: Arena
  private let tables: UnsafeMutablePointer<Int32>
  let gradients: GradientTree
  /// The sum of the shards' gradients of one stage.
  let shardTotal: Arena

  init(_ plan: ExecutionPlan, batchSize: Int, threads: Int) {
    let size = Size(plan, batchSize: batchSize, threads: threads)
    self.plan = plan
    (workers, shards) = (size.workers, size.shards)
    batchCapacity = size.shards * ExecutionPlan.shardSize
    arenas = (0..<size.arenas).map { _ in
      Arena(valueCount: size.arenaCount, byteCount: plan.counts.savedBytes * ExecutionPlan.shardSize)
    }
    working = (0..<size.workers).map { _ in Arena(valueCount: size.workingCount) }
    batch = Arena(valueCount: size.batchCount)
    prepared = Arena(valueCount: plan.counts.prepared)
    tables = .allocate(capacity: max(1, plan.tables.count))
    tables.initialize(from: plan.tables, count: plan.tables.count)
    gradients = GradientTree(length: size.gradientCount, shards: size.shards, threads: size.workers)
    shardTotal = Arena(valueCount: size.gradientCount)
  }

  deinit { tables.deallocate() }

  /// What such a memory takes.
  static func byteCount(_ plan: ExecutionPlan, batchSize: Int, threads: Int) -> Int {
    let size = Size(plan, batchSize: batchSize, threads: threads)
    let values =
      size.arenas * size.arenaCount + size.workers * size.workingCount + size.batchCount
      + plan.counts.prepared + plan.tables.count
      + (GradientTree.bufferCount(shards: size.shards, threads: size.workers) + 1) * size.gradientCount
    return values * MemoryLayout<Float>.size
      + size.arenas * plan.counts.savedBytes * ExecutionPlan.shardSize
  }

  private struct Size {
    let workers: Int
    let shards: Int
    let arenas: Int
    let arenaCount: Int
    let workingCount: Int
    let batchCount: Int
    let gradientCount: Int

    init(_ plan: ExecutionPlan, batchSize: Int, threads: Int) {
      shards = max(1, ExecutionPlan.shardCount(batchSize))
      workers = min(threads, shards)
      arenas = plan.stages.count > 1 ? shards : workers
      arenaCount = plan.counts.shard * ExecutionPlan.shardSize
      workingCount = plan.counts.image + plan.counts.scratch
      batchCount = plan.counts.batch * shards * ExecutionPlan.shardSize
      gradientCount = plan.stages.map(\.shardGradientCount).max() ?? 0
    }
  }

  /// The memory of image `image` of a shard, and of those after it in spaces that hold more than one.
  ///
  /// `firstRow` is where the shard begins in the memory of the batch.
  func values(
    _ place: Place, shard: Int, worker: Int, firstRow: Int, image: Int
  ) -> UnsafeMutablePointer<Float> {
    switch place.space {
    case .image: working[worker].values + place.offset
    case .shard:
      arena(shard: shard, worker: worker).values + place.offset * ExecutionPlan.shardSize
        + image * place.count
    case .batch: batch.values + place.offset * batchCapacity + (firstRow + image) * place.count
    }
  }

  /// The bytes that a layer saves, from image `image` of a shard on.
  func saved(_ step: ExecutionPlan.Step, shard: Int, worker: Int, image: Int) -> UnsafeMutablePointer<UInt8> {
    arena(shard: shard, worker: worker).bytes + step.savedOffset * ExecutionPlan.shardSize
      + image * step.memory.savedBytes
  }

  /// A layer's numbers in a model's flat buffer.
  func parameters(_ step: ExecutionPlan.Step, values: UnsafeMutablePointer<Float>) -> LayerParameters {
    LayerParameters(
      trainable: values + step.trainable.lowerBound, state: values + step.state.lowerBound,
      prepared: prepared.values + step.preparedOffset, tables: UnsafePointer(tables + step.tablesOffset))
  }

  func scratch(worker: Int) -> UnsafeMutablePointer<Float> {
    working[worker].values + plan.counts.image
  }

  private func arena(shard: Int, worker: Int) -> Arena {
    plan.stages.count > 1 ? arenas[shard] : arenas[worker]
  }
}
