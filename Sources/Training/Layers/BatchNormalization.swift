import Tensors

/// Batch normalisation (Ioffe and Szegedy, 2015): each channel is brought to mean 0 and variance 1 over the
/// whole batch, then scaled and shifted; evaluation uses running statistics instead.
///
/// Trainable: scale, shift. State: running mean, running variance (unbiased, as PyTorch keeps it).
public struct BatchNormalization: Hashable, Sendable {
  /// Added to the variance before its root is taken.
  let epsilon: Float = 1e-5
  /// How far the running statistics move to each batch's.
  let momentum: Float = 0.1

  public init() {}
}

extension BatchNormalization: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape { input }

  func parameters(for input: ImageShape) -> [Parameter] {
    let shape = [input.channels]
    return [
      Parameter(name: "scale", shape: shape, role: .scale),
      Parameter(name: "shift", shape: shape, role: .bias),
      Parameter(name: "runningMean", shape: shape, role: .state(initial: 0)),
      Parameter(name: "runningVariance", shape: shape, role: .state(initial: 1)),
    ]
  }

  var grain: Grain { .shard }
  var backwardReadsInput: Bool { true }

  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory {
    LayerMemory(shardGradient: 2 * input.channels)
  }

  /// Normalises by the running statistics, as evaluation does. Training goes by the batch's own: see
  /// `normalize(_:by:)`.
  func forward(_ pass: LayerPass) {
    let channels = pass.inputShape.channels
    let plane = pass.inputShape.planeCount
    for image in 0..<pass.count {
      for channel in 0..<channels {
        let factor =
          pass.parameters.trainable[channel]
          / (pass.parameters.state[channels + channel] + epsilon).squareRoot()
        let offset = pass.parameters.trainable[channels + channel] - pass.parameters.state[channel] * factor
        let start = (image * channels + channel) * plane
        for i in start..<start + plane { pass.output[i] = pass.input[i] * factor + offset }
      }
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    preconditionFailure("batch normalisation goes backward in two parts, with the whole batch in between")
  }

  func conclude(
    shardGradient: UnsafePointer<Float>, into trainable: UnsafeMutablePointer<Float>, for input: ImageShape
  ) {
    trainable.update(from: shardGradient, count: 2 * input.channels)
  }

  public var description: String { "batchnorm" }
}

/// Mean and spread of each channel over some images.
struct ChannelStatistics {
  /// Values a channel.
  var count: Int
  var mean: [Double]
  /// Sum of squared distances from the mean.
  var squares: [Double]

  init(channels: Int) {
    count = 0
    mean = Array(repeating: 0, count: channels)
    squares = mean
  }

  mutating func reset() {
    count = 0
    for channel in mean.indices { (mean[channel], squares[channel]) = (0, 0) }
  }

  /// Measures one shard.
  mutating func measure(_ values: UnsafePointer<Float>, images: Int, shape: ImageShape) {
    let plane = shape.planeCount
    count = images * plane
    for channel in 0..<shape.channels {
      var total = 0.0
      for image in 0..<images {
        total += Double(sum(values + (image * shape.channels + channel) * plane, plane))
      }
      let center = total / Double(count)
      var spread = 0.0
      for image in 0..<images {
        let start = values + (image * shape.channels + channel) * plane
        spread += Double(squaredDistance(start, from: Float(center), plane))
      }
      mean[channel] = center
      squares[channel] = spread
    }
  }

  /// Takes in another shard's statistics (Chan, Golub, LeVeque, "Updating formulae and a pairwise
  /// algorithm for computing sample variances", 1979).
  mutating func merge(_ other: ChannelStatistics) {
    let total = Double(count + other.count)
    guard total > 0 else { return }
    for channel in mean.indices {
      let delta = other.mean[channel] - mean[channel]
      mean[channel] += delta * Double(other.count) / total
      squares[channel] +=
        other.squares[channel] + delta * delta * Double(count) * Double(other.count) / total
    }
    count += other.count
  }
}

/// What normalises one batch: each channel's mean and the inverse of its standard deviation.
struct BatchStatistics {
  var mean: [Float]
  var inverseDeviation: [Float]
  /// Values a channel in the whole batch.
  var count = 0

  init(channels: Int) {
    mean = Array(repeating: 0, count: channels)
    inverseDeviation = mean
  }
}

extension BatchNormalization {
  /// Turns the whole batch's statistics into what normalises it, and moves the running ones.
  ///
  /// A batch of a single value a channel has no variance to learn from: its output is the shift alone, and
  /// the running statistics stay as they are.
  func conclude(
    _ measured: ChannelStatistics, into batch: inout BatchStatistics,
    runningStatistics state: UnsafeMutablePointer<Float>
  ) {
    let channels = measured.mean.count
    batch.count = measured.count
    for channel in 0..<channels {
      let variance = measured.squares[channel] / Double(measured.count)
      batch.mean[channel] = Float(measured.mean[channel])
      batch.inverseDeviation[channel] = Float(1 / (variance + Double(epsilon)).squareRoot())
      guard measured.count > 1 else { continue }
      let unbiased = Float(measured.squares[channel] / Double(measured.count - 1))
      state[channel] += momentum * (Float(measured.mean[channel]) - state[channel])
      state[channels + channel] += momentum * (unbiased - state[channels + channel])
    }
  }

  /// Forward in training: y = scale · (x - mean) / deviation + shift.
  func normalize(_ pass: LayerPass, by batch: BatchStatistics) {
    let channels = pass.inputShape.channels
    let plane = pass.inputShape.planeCount
    for image in 0..<pass.count {
      for channel in 0..<channels {
        let mean = batch.mean[channel]
        let factor = pass.parameters.trainable[channel] * batch.inverseDeviation[channel]
        let shift = pass.parameters.trainable[channels + channel]
        let start = (image * channels + channel) * plane
        for i in start..<start + plane { pass.output[i] = (pass.input[i] - mean) * factor + shift }
      }
    }
  }

  /// Backward, first part: the shard's derivatives by scale and shift, Σ dy · x̂ and Σ dy.
  func sumGradients(_ pass: LayerPass, _ gradients: LayerGradients, by batch: BatchStatistics) {
    let channels = pass.inputShape.channels
    let plane = pass.inputShape.planeCount
    for channel in 0..<channels {
      var (scale, shift): (Float, Float) = (0, 0)
      for image in 0..<pass.count {
        let start = (image * channels + channel) * plane
        scale += dot(gradients.output + start, pass.input + start, center: batch.mean[channel], plane)
        shift += sum(gradients.output + start, plane)
      }
      gradients.shard[channel] = scale * batch.inverseDeviation[channel]
      gradients.shard[channels + channel] = shift
    }
  }

  /// Backward, second part: the derivative by the input. `totals` holds the whole batch's derivatives by
  /// scale and shift; n is the batch's number of values a channel:
  /// dx = scale / deviation · (dy - (Σ dy + x̂ · Σ dy · x̂) / n).
  func propagate(
    _ pass: LayerPass, _ gradients: LayerGradients, totals: UnsafePointer<Float>,
    by batch: BatchStatistics
  ) {
    guard let inputGradient = gradients.input else { return }
    let channels = pass.inputShape.channels
    let plane = pass.inputShape.planeCount
    for image in 0..<pass.count {
      for channel in 0..<channels {
        let inverse = batch.inverseDeviation[channel]
        let factor = pass.parameters.trainable[channel] * inverse
        let meanShift = totals[channels + channel] / Float(batch.count)
        let meanScale = totals[channel] / Float(batch.count) * inverse
        let mean = batch.mean[channel]
        let start = (image * channels + channel) * plane
        for i in start..<start + plane {
          let spread = (pass.input[i] - mean) * meanScale
          inputGradient[i] = factor * (gradients.output[i] - meanShift - spread)
        }
      }
    }
  }
}
