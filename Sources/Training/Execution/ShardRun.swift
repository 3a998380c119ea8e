import Tensors

/// One shard on its way through the network: binds the plan's offsets to an arena's memory.
struct ShardRun {
  let plan: ExecutionPlan
  let arena: Arena
  let scratch: UnsafeMutablePointer<Float>
  /// The model's flat buffer, [trainable | state].
  let values: UnsafeMutablePointer<Float>
  /// The shard's images, as positions in the batch.
  let images: Range<Int>
  let mode: LayerPass.Mode

  /// The network's output, [images, classes].
  var logits: UnsafeMutablePointer<Float> { arena.values + (plan.steps.last?.outputOffset ?? 0) }

  /// Fetches the shard's images.
  func load(worker: Int, _ fill: BatchRunner.Fill) {
    for image in images {
      fill(worker, image, arena.values + (image - images.lowerBound) * plan.input.count)
    }
  }

  /// Runs the layers of a stage in training, the batch normalisation in front by the batch's statistics.
  func forward(_ stage: Int, _ normalizations: [NormalizationMemory]) {
    for index in plan.stages[stage].steps {
      let step = plan.steps[index]
      if let rule = step.batchNormalization {
        rule.normalize(pass(step), by: normalizations[stage - 1].batch)
      } else {
        step.rule.forward(pass(step))
      }
    }
  }

  /// Runs the layers of a stage backward, and writes the stage's gradient to `target`.
  func backward(
    _ stage: Int, _ normalizations: [NormalizationMemory], into target: UnsafeMutablePointer<Float>
  ) {
    let start = plan.stages[stage].trainable.lowerBound
    for index in plan.stages[stage].steps.reversed() {
      let step = plan.steps[index]
      let gradients = gradients(step, trainable: target + (step.trainable.lowerBound - start))
      if let rule = step.batchNormalization {
        rule.sumGradients(pass(step), gradients, by: normalizations[stage - 1].batch)
      } else if gradients.input != nil || !step.trainable.isEmpty {
        step.rule.backward(pass(step), gradients)
      }
    }
  }

  /// Takes the gradient back over a batch normalisation, once the whole batch's sums are known.
  func propagate(
    _ step: ExecutionPlan.Step, _ normalization: NormalizationMemory,
    totals: UnsafeMutablePointer<Float>
  ) {
    step.batchNormalization?.propagate(
      pass(step), gradients(step, trainable: totals), totals: totals, by: normalization.batch)
  }

  /// Replaces the logits by the loss's derivative, in the place where backward starts.
  func differentiate(
    _ loss: SoftmaxCrossEntropy, labels: UnsafePointer<UInt16>, scale: Float
  ) -> SoftmaxCrossEntropy.Outcome {
    guard let last = plan.steps.last else { return SoftmaxCrossEntropy.Outcome() }
    let gradient = arena.values + last.outputGradientOffset
    gradient.update(from: logits, count: images.count * plan.classes)
    return loss.differentiate(
      logits: gradient, labels: labels, count: images.count, classes: plan.classes, scale: scale)
  }

  func pass(_ step: ExecutionPlan.Step) -> LayerPass {
    var mode = mode
    if case .training(let seed, let number, let firstImage, _) = mode {
      mode = .training(seed: seed, step: number, firstImage: firstImage, layer: step.position)
    }
    return LayerPass(
      count: images.count, inputShape: step.input, outputShape: step.output,
      input: arena.values + step.inputOffset, output: arena.values + step.outputOffset,
      trainable: values + step.trainable.lowerBound, state: values + step.state.lowerBound,
      saved: arena.bytes + step.savedOffset, scratch: scratch, mode: mode)
  }

  private func gradients(
    _ step: ExecutionPlan.Step, trainable: UnsafeMutablePointer<Float>
  ) -> LayerGradients {
    LayerGradients(
      output: arena.values + step.outputGradientOffset,
      input: step.inputGradientOffset.map { arena.values + $0 }, trainable: trainable)
  }
}

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
