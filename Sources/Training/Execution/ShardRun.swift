import Tensors

/// One shard on its way through the network: binds the plan's places to memory.
struct ShardRun {
  let plan: ExecutionPlan
  let memory: RunnerMemory
  let kernels: KernelSet
  let worker: Int
  let shard: Int
  /// The model's flat buffer, [trainable | state].
  let values: UnsafeMutablePointer<Float>
  /// The shard's images, as positions in the batch.
  let images: Range<Int>
  /// Where the shard begins in the memory of the batch.
  let firstRow: Int
  let mode: LayerPass.Mode
  let times: StepTimes?

  /// The network's output, [images, classes].
  var logits: UnsafeMutablePointer<Float> { values(plan.outputPlace) }

  /// Fetches the shard's images.
  func load(_ fill: BatchRunner.Fill) {
    measured(.load) {
      for image in images {
        fill(worker, image, values(plan.inputPlace, image: image - images.lowerBound))
      }
    }
  }

  /// Runs the layers of a stage forward; in training a batch normalisation in front goes by the batch's statistics.
  func forward(_ stage: Int, normalization: BatchStatistics?) {
    forEachStep(plan.stages[stage].segments) { step, pass in
      measured(.forward(step)) {
        if let rule = step.batchNormalization, let normalization {
          rule.normalize(pass, by: normalization)
        } else {
          step.rule.forward(pass)
        }
      }
    }
  }

  /// Runs the layers of a stage backward, and adds the stage's gradient to `target`.
  func backward(_ stage: Int, normalization: BatchStatistics?, addingTo target: UnsafeMutablePointer<Float>) {
    forEachStepBackward(plan.stages[stage].segments) { step, image, pass in
      let gradients = gradients(step, image: image, shard: target + step.shardGradientOffset)
      measured(.backward(step)) {
        if let rule = step.batchNormalization, let normalization {
          rule.sumGradients(pass, gradients, by: normalization)
        } else if gradients.input != nil || !step.trainable.isEmpty {
          step.rule.backward(pass, gradients)
        }
      }
    }
  }

  /// Takes the gradient back over a batch normalisation, once the whole batch's sums are known.
  func propagate(
    _ step: ExecutionPlan.Step, _ statistics: BatchStatistics, totals: UnsafeMutablePointer<Float>
  ) {
    measured(.backward(step)) {
      step.batchNormalization?.propagate(
        pass(step), gradients(step, image: 0, shard: totals), totals: totals, by: statistics)
    }
  }

  /// Writes the loss's derivative by the logits, where backward starts.
  func differentiate(
    _ loss: SoftmaxCrossEntropy, labels: UnsafePointer<UInt16>, scale: Float
  ) -> SoftmaxCrossEntropy.Outcome {
    let gradient = values(plan.outputGradient)
    return measured(.loss) {
      gradient.update(from: logits, count: images.count * plan.classes)
      return loss.differentiate(
        logits: gradient, labels: labels, count: images.count, classes: plan.classes, scale: scale)
    }
  }

  /// A layer's view of the whole shard, or of one image of it.
  func pass(_ step: ExecutionPlan.Step, image: Int? = nil) -> LayerPass {
    let first = image ?? 0
    var mode = mode
    if case .training(let seed, let number, let firstImage, _) = mode {
      mode = .training(seed: seed, step: number, firstImage: firstImage + first, layer: step.position)
    }
    return LayerPass(
      count: image == nil ? images.count : 1, inputShape: step.input, outputShape: step.output,
      input: values(step.inputPlace, image: first), output: values(step.outputPlace, image: first),
      parameters: memory.parameters(step, values: values),
      saved: memory.saved(step, shard: shard, worker: worker, image: first),
      scratch: memory.scratch(worker: worker), mode: mode, kernels: kernels)
  }

  private func values(_ place: Place, image: Int = 0) -> UnsafeMutablePointer<Float> {
    memory.values(place, shard: shard, worker: worker, firstRow: firstRow, image: image)
  }

  private func gradients(
    _ step: ExecutionPlan.Step, image: Int, shard: UnsafeMutablePointer<Float>
  ) -> LayerGradients {
    LayerGradients(
      output: values(step.outputGradient, image: image),
      input: step.inputGradient.map { values($0, image: image) }, shard: shard)
  }

  private func forEachStep(
    _ segments: [ExecutionPlan.Segment], _ body: (ExecutionPlan.Step, LayerPass) -> Void
  ) {
    for segment in segments {
      if segment.isByImage {
        for image in 0..<images.count {
          for step in segment.steps { body(plan.steps[step], pass(plan.steps[step], image: image)) }
        }
      } else {
        for step in segment.steps { body(plan.steps[step], pass(plan.steps[step])) }
      }
    }
  }

  private func forEachStepBackward(
    _ segments: [ExecutionPlan.Segment], _ body: (ExecutionPlan.Step, _ image: Int, LayerPass) -> Void
  ) {
    for segment in segments.reversed() {
      if segment.isByImage {
        for image in 0..<images.count {
          for step in segment.steps.reversed() {
            body(plan.steps[step], image, pass(plan.steps[step], image: image))
          }
        }
      } else {
        for step in segment.steps.reversed() { body(plan.steps[step], 0, pass(plan.steps[step])) }
      }
    }
  }

  private func measured<Result>(_ slot: StepTimes.Slot, _ body: () -> Result) -> Result {
    guard let times else { return body() }
    return times.measure(slot, worker: worker, body)
  }
}
