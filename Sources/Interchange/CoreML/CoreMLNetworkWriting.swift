import Inference
import Wire

// The fields of CoreML.Specification's NeuralNetwork.proto.

extension CoreMLNetwork {
  func write(to message: inout ProtobufWriter) {
    for layer in layers { message.message(field: 1, layer.write) }
    message.message(field: 2, scaling.write)
    if let update { message.message(field: 10, update.write) }
  }
}

extension CoreMLNetwork.Scaling {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.string(input, field: 1)
    message.message(field: 10) {
      $0.float(scale, field: 10)
      // Grey; or blue, green and red.
      for field in channels == 1 ? [30] : [20, 21, 22] { $0.float(offset, field: field) }
    }
  }
}

extension CoreMLNetwork.Update {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.message(field: 1) { loss in
      loss.string(lossName, field: 1)
      // Categorical cross-entropy.
      loss.message(field: 10) {
        $0.string(lossInput, field: 1)
        $0.string(target, field: 2)
      }
    }
    message.message(field: 2) { optimizer.write(to: &$0, batchSize: batchSize) }
    message.message(field: 3, epochs.write)
    message.message(field: 10) { $0.integer(shuffles ? 1 : 0, field: 1) }
    message.message(field: 20) { $0.integer(seed, field: 1) }
  }
}

extension CoreMLNetwork.Optimizer {
  fileprivate func write(to message: inout ProtobufWriter, batchSize: CoreMLNumber<Int>) {
    switch self {
    case .sgd(let learningRate, let momentum):
      message.message(field: 10) {
        $0.message(field: 1, learningRate.write)
        $0.message(field: 2, batchSize.write)
        $0.message(field: 3, momentum.write)
      }
    case .adam(let learningRate, let beta1, let beta2, let epsilon):
      message.message(field: 11) {
        $0.message(field: 1, learningRate.write)
        $0.message(field: 2, batchSize.write)
        $0.message(field: 3, beta1.write)
        $0.message(field: 4, beta2.write)
        $0.message(field: 5, epsilon.write)
      }
    }
  }
}

extension CoreMLLayer {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.string(name, field: 1)
    message.string(input, field: 2)
    message.string(output, field: 3)
    if isUpdatable { message.integer(1, field: 10) }
    switch content {
    case .convolution(let layer): message.message(field: 100, layer.write)
    case .pool(let layer): message.message(field: 120, layer.write)
    case .rectifier: message.message(field: 130) { $0.message(field: 10) { _ in } }
    case .leakyRectifier(let slope):
      message.message(field: 130) { $0.message(field: 15) { $0.float(slope, field: 1) } }
    case .dense(let layer): message.message(field: 140, layer.write)
    case .batchNormalization(let scale, let shift):
      message.message(field: 160) { Self.writeNormalization(scale, shift, to: &$0) }
    case .bias(let values):
      message.message(field: 250) {
        $0.integers([values.count], field: 1)
        $0.message(field: 2, CoreMLWeights(values).write)
      }
    case .softmax: message.message(field: 175) { _ in }
    // Channels first, unless its field 1 says otherwise.
    case .flatten: message.message(field: 301) { _ in }
    }
  }

  /// As a normalisation that has nothing to do: `gamma · (x - 0) / √(1 - ε + ε) + beta`. An ε left out would
  /// be 1e-5; the variance makes up for the one that stands there, a power of two, so that their sum is
  /// exactly 1.
  private static func writeNormalization(
    _ scale: [Float], _ shift: [Float], to message: inout ProtobufWriter
  ) {
    let epsilon: Float = 0x1p-20
    message.integer(scale.count, field: 1)
    message.float(epsilon, field: 10)
    let zeros = [Float](repeating: 0, count: scale.count)
    let variances = [Float](repeating: 1 - epsilon, count: scale.count)
    for (field, values) in [(15, scale), (16, shift), (17, zeros), (18, variances)] {
      message.message(field: field, CoreMLWeights(values).write)
    }
  }
}

extension CoreMLLayer.Convolution {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.integer(outputs, field: 1)
    message.integer(kernelChannels, field: 2)
    message.integer(groups, field: 10)
    message.integers([window.height, window.width], field: 20)
    message.integers([window.down, window.across], field: 30)
    message.message(field: 50, padding.write)
    message.integer(bias == nil ? 0 : 1, field: 70)
    message.message(field: 90, weights.write)
    if let bias { message.message(field: 91, bias.write) }
  }
}

extension CoreMLLayer.Padding {
  /// The amounts for rows, then those for columns.
  fileprivate func write(to message: inout ProtobufWriter) {
    message.message(field: 1) { amounts in
      for (start, end) in [(top, bottom), (left, right)] {
        amounts.message(field: 10) {
          $0.integer(start, field: 1)
          $0.integer(end, field: 2)
        }
      }
    }
  }
}

extension CoreMLLayer.Pool {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.integer(isMaximum ? 0 : 1, field: 1)
    if let window {
      message.integers([window.height, window.width], field: 10)
      message.integers([window.down, window.across], field: 20)
    }
    message.message(field: 30, CoreMLLayer.Padding().write)
    if window == nil { message.integer(1, field: 60) }
  }
}

extension CoreMLLayer.Dense {
  fileprivate func write(to message: inout ProtobufWriter) {
    message.integer(inputs, field: 1)
    message.integer(outputs, field: 2)
    message.integer(bias == nil ? 0 : 1, field: 10)
    message.message(field: 20, weights.write)
    if let bias { message.message(field: 21, bias.write) }
  }
}

extension CoreMLWeights {
  fileprivate func write(to message: inout ProtobufWriter) {
    switch storage {
    case .float32(let values): message.floats(values, field: 1)
    case .float16(let bytes): message.bytes(bytes, field: 2)
    case .linear(let bits, let bytes, let scales, let offsets):
      message.bytes(bytes, field: 30)
      message.message(field: 40) {
        $0.integer(bits, field: 1)
        $0.message(field: 101) {
          $0.floats(scales, field: 1)
          $0.floats(offsets, field: 2)
        }
      }
    }
    if isUpdatable { message.integer(1, field: 50) }
  }
}
