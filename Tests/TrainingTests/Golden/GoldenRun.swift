import Tensors

@testable import Training

/// What Inkling makes of a golden case.
struct GoldenRun: Equatable {
  var losses: [Double] = []
  /// The model's flat buffer after the last step.
  let values: [Float]
  /// [images, classes] in evaluation mode, after the last step.
  let logits: [Float]

  init(_ golden: GoldenCase, threads: Int) throws {
    let model = try golden.start
    let (pixelCount, classes) = (model.architecture.input.count, model.architecture.output.count)
    let labels = (0..<golden.images).map { golden.label(ofImage: $0, classes: classes) }
    let loss = SoftmaxCrossEntropy(
      labelSmoothing: golden.labelSmoothing, classWeights: golden.classWeights)
    let runner = BatchRunner(
      architecture: model.architecture, batchSize: golden.batchSize, threads: threads)
    let optimizer = Optimizer(try golden.optimizer, table: model.table)
    let values = Arena(copying: model.values)
    let gradient = Arena(valueCount: model.table.trainableCount)
    let state = Arena(valueCount: optimizer.stateCount)
    func fill(image: Int, _ pixels: UnsafeMutablePointer<Float>) {
      for i in 0..<pixelCount { pixels[i] = golden.pixel(image * pixelCount + i) }
    }

    for step in golden.losses.indices {
      let members = golden.members(step: step)
      let outcome = labels[members].withUnsafeBufferPointer {
        runner.differentiate(
          values: values.values, gradient: gradient.values, labels: $0, loss: loss, seed: 0, step: step
        ) { _, image, pixels in fill(image: members.lowerBound + image, pixels) }
      }
      losses.append(outcome.loss)
      let taken = optimizer.step(step, rate: try golden.rate(step: step), gradient: gradient.values)
      for chunk in 0..<optimizer.chunkCount {
        optimizer.apply(
          taken, chunk: chunk, values: values.values, gradient: gradient.values, state: state.values)
      }
    }

    let logits = Arena(valueCount: golden.images * classes)
    runner.evaluate(values: values.values, count: golden.images) { _, image, pixels in
      fill(image: image, pixels)
    } _: { images, found in
      (logits.values + images.lowerBound * classes).update(from: found, count: images.count * classes)
    }
    self.values = values.array(model.table.count)
    self.logits = logits.array(golden.images * classes)
  }
}
