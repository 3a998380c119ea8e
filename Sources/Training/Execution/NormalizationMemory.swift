import Tensors

/// What one batch normalisation keeps between stages: each shard's statistics and the batch's.
final class NormalizationMemory {
  private let step: ExecutionPlan.Step
  // Unsafe, since each worker writes its own shard's element.
  private let measured: UnsafeMutableBufferPointer<ChannelStatistics>
  private var total: ChannelStatistics
  private(set) var batch: BatchStatistics

  init(_ step: ExecutionPlan.Step, shards: Int) {
    self.step = step
    measured = .allocate(capacity: shards)
    total = ChannelStatistics(channels: step.input.channels)
    batch = BatchStatistics(channels: step.input.channels)
    for shard in 0..<shards {
      measured.initializeElement(at: shard, to: ChannelStatistics(channels: step.input.channels))
    }
  }

  deinit {
    measured.deinitialize()
    measured.deallocate()
  }

  /// Measures the input of the normalisation in one shard.
  func measure(_ pass: LayerPass, _ shard: Int) {
    measured[shard].measure(pass.input, images: pass.count, shape: pass.inputShape)
  }

  /// Puts the shards' statistics together, in their order.
  func conclude(shards: Int, values: UnsafeMutablePointer<Float>) {
    total.reset()
    for shard in 0..<shards { total.merge(measured[shard]) }
    step.batchNormalization?.conclude(
      total, into: &batch, runningStatistics: values + step.state.lowerBound)
  }
}
