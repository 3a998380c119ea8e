import Inference
import Training

/// Makes layers of operations, one after another.
///
/// A rectifier becomes a layer of its own, and so does a bias that may not stand beside its weights. Dense
/// layers and the softmax get a vector: Core ML flattens nothing by itself.
struct CoreMLTranslation {
  private let network: LoweredNetwork
  private let tensors: [QuantizedMatrix]
  private(set) var layers: [CoreMLLayer] = []
  /// The name of what the last layer gives.
  private var current: String
  private var isVector = false

  /// - Parameter names: `input` is what the first layer takes, `probabilities` what the last one gives.
  init(
    _ network: LoweredNetwork, tensors: [QuantizedMatrix], names: CoreMLOptions.Names
  ) throws(InterchangeError) {
    self.network = network
    self.tensors = tensors
    current = names.input
    for (index, operation) in network.operations.enumerated() {
      try add(operation, number: index + 1)
    }
    if !layers.isEmpty { layers[layers.count - 1].output = names.probabilities }
  }

  private mutating func add(_ operation: Operation, number: Int) throws(InterchangeError) {
    switch operation {
    case .convolution(let convolution): try add(convolution, number)
    case .dense(let dense): try add(dense, number)
    case .maximumPool(let window): append(.pool(CoreMLLayer.Pool(isMaximum: true, window: window)))
    case .averagePool(let window): append(.pool(CoreMLLayer.Pool(isMaximum: false, window: window)))
    case .globalAveragePool: append(.pool(CoreMLLayer.Pool(isMaximum: false)))
    case .flatten: addFlatten()
    case .softmax:
      addFlatten()
      append(.softmax)
    case .activation(let activation): add(activation)
    case .affine(let scale, let shift):
      append(.batchNormalization(scale: try values(scale, number), shift: try values(shift, number)))
    }
  }

  private mutating func add(_ convolution: Operation.Convolution, _ number: Int) throws(InterchangeError) {
    try requireFloats(convolution.integers, number)
    let (weights, bias, layerBias) = try numbers(convolution.weights, convolution.bias, number)
    let window = convolution.window
    isVector = false
    append(
      .convolution(
        CoreMLLayer.Convolution(
          outputs: convolution.filters,
          kernelChannels: network.tensors[convolution.weights].columns / max(1, window.height * window.width),
          groups: convolution.groups, window: window,
          padding: CoreMLLayer.Padding(
            top: convolution.top, bottom: convolution.bottom, left: convolution.left,
            right: convolution.right),
          weights: weights, bias: bias)))
    if let layerBias { append(.bias(layerBias)) }
    add(convolution.activation)
  }

  private mutating func add(_ dense: Operation.Dense, _ number: Int) throws(InterchangeError) {
    try requireFloats(dense.integers, number)
    let (weights, bias, layerBias) = try numbers(dense.weights, dense.bias, number)
    addFlatten()
    append(
      .dense(
        CoreMLLayer.Dense(
          inputs: network.tensors[dense.weights].columns, outputs: dense.outputs, weights: weights,
          bias: bias)))
    if let layerBias { append(.bias(layerBias)) }
    add(dense.activation)
  }

  private mutating func add(_ activation: Operation.Activation) {
    switch activation {
    case .none: break
    case .rectifier: append(.rectifier)
    case .leaky(let slope): append(.leakyRectifier(slope: slope))
    }
  }

  private mutating func addFlatten() {
    if !isVector { append(.flatten) }
    isVector = true
  }

  /// Layers are numbered by kind: a program names those whose weights it asks for.
  private mutating func append(_ content: CoreMLLayer.Content) {
    var layer = CoreMLLayer(name: "", input: current, output: "", content: content)
    layer.name = "\(layer.kind)\(layers.count { $0.kind == layer.kind } + 1)"
    layer.output = "\(layer.name)_output"
    current = layer.output
    layers.append(layer)
  }

  // MARK: Numbers

  private func requireFloats(_ integers: Operation.IntegerScales?, _ number: Int) throws(InterchangeError) {
    guard integers == nil else {
      throw InterchangeError(
        "Core ML: operation \(number): expected arithmetic with floats, found whole numbers, which Core ML "
          + "does not compute with; export without calibration")
    }
  }

  /// Weights with the bias that stands beside them, or with that for which there must be a layer.
  private func numbers(
    _ weights: Int, _ bias: Int, _ number: Int
  ) throws(InterchangeError) -> (weights: CoreMLWeights, bias: CoreMLWeights?, layerBias: [Float]?) {
    guard tensors.indices.contains(weights), tensors.count == network.tensors.count else {
      throw noTensor(weights, number)
    }
    let weights = CoreMLWeights(tensors[weights])
    guard bias != InkFormat.noTensor else { return (weights, nil, nil) }
    let values = try values(bias, number)
    return weights.takesBias ? (weights, CoreMLWeights(values), nil) : (weights, nil, values)
  }

  private func values(_ index: Int, _ number: Int) throws(InterchangeError) -> [Float] {
    guard network.tensors.indices.contains(index) else { throw noTensor(index, number) }
    return network.tensors[index].values
  }

  private func noTensor(_ index: Int, _ number: Int) -> InterchangeError {
    InterchangeError(
      "Core ML: operation \(number): expected one of \(network.tensors.count) tensors, each stored, found "
        + "tensor \(index); hand over those that were made of the network")
  }
}
