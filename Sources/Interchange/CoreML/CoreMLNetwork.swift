import Inference

/// A chain of layers.
struct CoreMLNetwork {
  var scaling: Scaling
  var layers: [CoreMLLayer]
  /// What of the layers is trained on the device, and how; nil for nothing.
  var update: Update?

  /// How a pixel becomes a value: `pixel · scale + offset`.
  struct Scaling {
    /// The input that it is of.
    var input: String
    var scale: Float
    var offset: Float
    /// 1 for grey, 3 for colours.
    var channels: Int
  }

  /// Training by the cross-entropy of what one layer gives.
  struct Update {
    var lossName: String
    /// The output of a softmax.
    var lossInput: String
    /// Where the true label comes in.
    var target: String
    var optimizer: Optimizer
    var batchSize: CoreMLNumber<Int>
    var epochs: CoreMLNumber<Int>
    var shuffles: Bool
    var seed: Int
  }

  enum Optimizer {
    case sgd(learningRate: CoreMLNumber<Double>, momentum: CoreMLNumber<Double>)
    case adam(
      learningRate: CoreMLNumber<Double>, beta1: CoreMLNumber<Double>, beta2: CoreMLNumber<Double>,
      epsilon: CoreMLNumber<Double>)
  }
}

/// A layer with the names of the values that it takes and gives.
struct CoreMLLayer {
  var name: String
  var input: String
  var output: String
  var isUpdatable = false
  var content: Content

  enum Content {
    case convolution(Convolution)
    case pool(Pool)
    case rectifier
    /// Values below 0 are multiplied by the slope.
    case leakyRectifier(slope: Float)
    case dense(Dense)
    /// Each channel times its scale plus its shift.
    case batchNormalization(scale: [Float], shift: [Float])
    /// A number a channel is added.
    case bias([Float])
    case softmax
    /// To one vector, in the order channel, row, column.
    case flatten
  }

  struct Convolution {
    var outputs: Int
    /// Channels that an output looks at: the input's over the groups.
    var kernelChannels: Int
    var groups: Int
    var window: Operation.Window
    var padding: Padding
    /// [outputs, kernelChannels, height, width].
    var weights: CoreMLWeights
    var bias: CoreMLWeights?
  }

  /// Rows and columns of zeros.
  struct Padding: Hashable {
    var top = 0
    var bottom = 0
    var left = 0
    var right = 0
  }

  struct Pool {
    var isMaximum: Bool
    /// Nil for the whole plane.
    var window: Operation.Window?
  }

  struct Dense {
    var inputs: Int
    var outputs: Int
    /// [outputs, inputs].
    var weights: CoreMLWeights
    var bias: CoreMLWeights?
  }

  /// What the layer does, as it stands in its name.
  var kind: String {
    switch content {
    case .convolution: "convolution"
    case .pool: "pool"
    case .rectifier, .leakyRectifier: "relu"
    case .dense: "dense"
    case .batchNormalization: "batchnorm"
    case .bias: "bias"
    case .softmax: "softmax"
    case .flatten: "flatten"
    }
  }

  /// What is stored as the exporter's user asks.
  var weights: [CoreMLWeights] {
    switch content {
    case .convolution(let layer): [layer.weights] + (layer.bias.map { [$0] } ?? [])
    case .dense(let layer): [layer.weights] + (layer.bias.map { [$0] } ?? [])
    case .batchNormalization, .bias, .pool, .rectifier, .leakyRectifier, .softmax, .flatten: []
    }
  }
}
