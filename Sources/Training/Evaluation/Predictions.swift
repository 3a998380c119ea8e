import Datasets
import Foundation
import Tensors

/// What a network says of some images.
public struct Predictions: Sendable {
  /// [images, classes].
  public private(set) var probabilities: [Float]
  /// The cross-entropy of each image in nats.
  public private(set) var losses: [Float]
  /// The true class of each image.
  public let truths: [UInt16]
  public let classCount: Int

  /// What some other program or test made of the images.
  ///
  /// - Precondition: a probability for each image and class, a loss for each image.
  package init(probabilities: [Float], losses: [Float], truths: [UInt16], classCount: Int) {
    precondition(probabilities.count == truths.count * classCount && losses.count == truths.count)
    self.probabilities = probabilities
    self.losses = losses
    self.truths = truths
    self.classCount = classCount
  }

  /// What some other program made of the images. A probability of 0 counts as the smallest normal number in the loss.
  ///
  /// - Precondition: a probability for each image and class.
  package init(probabilities: [Float], truths: [UInt16], classCount: Int) {
    let losses = truths.indices.map { image in
      -log(max(probabilities[image * classCount + Int(truths[image])], .leastNormalMagnitude))
    }
    self.init(probabilities: probabilities, losses: losses, truths: truths, classCount: classCount)
  }

  /// Runs a model over a data set.
  ///
  /// - Precondition: the model takes the data's images and ends in its classes.
  public init(of model: Model, for data: Dataset, threads: Int) {
    precondition(model.architecture.input == data.shape)
    let workers = max(1, min(threads, ExecutionPlan.shardCount(data.count)))
    let runner = BatchRunner(
      architecture: model.architecture, batchSize: workers * ExecutionPlan.shardSize, threads: workers)
    let values = Arena(copying: model.values)
    self.init(runner: runner, values: values.values, data: data, members: Array(0..<Int32(data.count)))
  }

  /// Runs the images at `members` through a network that is in training.
  init(runner: BatchRunner, values: UnsafeMutablePointer<Float>, data: Dataset, members: [Int32]) {
    let classCount = data.classes.count
    let truths = members.map { data.labels[Int($0)] }
    var losses = [Float](repeating: 0, count: members.count)
    let batches = Batches(data, members: members, batchSize: 1, seed: 0)
    probabilities = [Float](unsafeUninitializedCapacity: members.count * classCount) { target, count in
      losses.withUnsafeMutableBufferPointer { losses in
        truths.withUnsafeBufferPointer { truths in
          guard let target = target.baseAddress, let losses = losses.baseAddress,
            let truths = truths.baseAddress
          else { return }
          runner.evaluate(values: values, count: members.count) { _, image, pixels in
            batches.fill(image: members[image], epoch: 0, into: pixels, scratch: nil)
          } _: { images, logits in
            let first = images.lowerBound
            SoftmaxCrossEntropy.evaluate(
              logits: logits, labels: truths + first, losses: losses + first, count: images.count,
              classes: classCount)
            (target + first * classCount).initialize(from: logits, count: images.count * classCount)
          }
        }
      }
      count = members.count * classCount
    }
    self.losses = losses
    self.truths = truths
    self.classCount = classCount
  }

  public var count: Int { truths.count }

  public var meanLoss: Double {
    losses.reduce(0) { $0 + Double($1) } / Double(max(1, count))
  }

  /// The probabilities of one image, a value a class.
  package func row(of image: Int) -> ArraySlice<Float> {
    probabilities[image * classCount..<(image + 1) * classCount]
  }

  package func prediction(of image: Int) -> Prediction {
    Prediction(row: row(of: image), truth: Int(truths[image]))
  }

  /// The share of images whose true class is the single most probable one.
  public var accuracy: Double {
    let correct = (0..<count).count { prediction(of: $0).isRight }
    return Double(correct) / Double(max(1, count))
  }
}
