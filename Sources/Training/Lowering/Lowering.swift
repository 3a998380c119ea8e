import Datasets
import Inference
import Tensors

extension Checkpoint {
  /// The network for use, without what only training needs.
  ///
  /// Throws an `ExportError` if the network is larger than the `.ink` format can say.
  public func lowered() throws(ExportError) -> LoweredNetwork {
    var lowering = Lowering(deployed)
    for position in deployed.architecture.layers.indices { try lowering.add(position) }
    return try lowering.finish(classes)
  }
}

/// Folds layers into operations, one after another.
private struct Lowering {
  private let model: Model
  private var operations: [Operation] = []
  private var tensors: [LoweredNetwork.Matrix] = []

  init(_ model: Model) {
    self.model = model
  }

  func finish(_ classes: ClassTable) throws(ExportError) -> LoweredNetwork {
    let shape = model.architecture.input
    guard shape.channels <= 255, shape.height <= 65_535, shape.width <= 65_535 else {
      throw .tooLarge("images of \(shape)")
    }
    if let name = classes.names.first(where: { $0.utf8.count > 255 || $0.isEmpty }) {
      throw .tooLarge("a class name of \(name.utf8.count) bytes")
    }
    return LoweredNetwork(
      input: Network.InputDescription(extent: Extent3(shape), scale: 1 / PixelScale.full),
      operations: operations + [.softmax],
      tensors: tensors, labels: classes.names, labelValues: classes.values)
  }

  mutating func add(_ position: Int) throws(ExportError) {
    let (input, output) = (model.architecture.input(of: position), model.architecture.outputs[position])
    switch model.architecture.layers[position] {
    case .convolution(let layer): try add(layer, position, input, output)
    case .dense(let layer):
      let (weights, bias) = addWeights(of: position, rows: layer.outputs)
      operations.append(
        .dense(Operation.Dense(activation: .none, outputs: layer.outputs, weights: weights, bias: bias)))
    case .rectifier(let layer): add(layer.slope == 0 ? .rectifier : .leaky(layer.slope))
    case .pool(let layer):
      let window = try window(layer.kernel, layer.stride, layer)
      operations.append(layer.kind == .maximum ? .maximumPool(window) : .averagePool(window))
    case .globalAveragePool: operations.append(.globalAveragePool)
    case .batchNormalization(let layer): addNormalization(layer, position, channels: input.channels)
    case .dropout: break
    case .flatten: operations.append(.flatten)
    }
  }

  private mutating func add(
    _ layer: Convolution, _ position: Int, _ input: ImageShape, _ output: ImageShape
  ) throws(ExportError) {
    let (top, left) = layer.window.zerosBefore(input: input, output: output)
    let isSame = layer.padding == .same
    let down = (output.height - 1) * layer.stride.height + layer.kernel.height - input.height
    let across = (output.width - 1) * layer.stride.width + layer.kernel.width - input.width
    let padding = (
      top: top, left: left, bottom: isSame ? max(0, down) - top : 0, right: isSame ? max(0, across) - left : 0
    )
    guard max(padding.bottom, padding.right) <= 255, layer.filters <= 65_535 else {
      throw .tooLarge("\(layer)")
    }
    let window = try window(layer.kernel, layer.stride, layer)
    let (weights, bias) = addWeights(of: position, rows: layer.filters)
    operations.append(
      .convolution(
        Operation.Convolution(
          activation: .none, filters: layer.filters, window: window, padding: padding, groups: layer.groups,
          weights: weights, bias: bias)))
  }

  private func window(
    _ kernel: Extent, _ stride: Extent, _ layer: some CustomStringConvertible
  ) throws(ExportError) -> Operation.Window {
    guard [kernel.height, kernel.width, stride.height, stride.width].allSatisfy({ $0 <= 255 }) else {
      throw .tooLarge("\(layer)")
    }
    return Operation.Window(
      height: kernel.height, width: kernel.width, down: stride.height, across: stride.width)
  }

  /// The numbers of one layer's slot; nil where it has none of that name.
  private func values(_ position: Int, _ name: String) -> [Float]? {
    model.table.slots.first { $0.layer == position && $0.name == name }.map { Array(model.values[$0.range]) }
  }

  private mutating func addWeights(of position: Int, rows: Int) -> (weights: Int, bias: Int) {
    let values = values(position, "weight") ?? []
    tensors.append(
      LoweredNetwork.Matrix(rows: rows, columns: values.count / rows, values: values, isWeight: true))
    let weights = tensors.count - 1
    guard let bias = self.values(position, "bias") else { return (weights, InkFormat.noTensor) }
    return (weights, addColumn(bias))
  }

  private mutating func addColumn(_ values: [Float]) -> Int {
    tensors.append(LoweredNetwork.Matrix(rows: values.count, columns: 1, values: values, isWeight: false))
    return tensors.count - 1
  }

  private mutating func add(_ activation: Operation.Activation) {
    switch operations.last {
    case .convolution(var last) where last.activation == .none:
      last.activation = activation
      operations[operations.count - 1] = .convolution(last)
    case .dense(var last) where last.activation == .none:
      last.activation = activation
      operations[operations.count - 1] = .dense(last)
    default: operations.append(.activation(activation))
    }
  }

  /// γ (x - mean) / √(variance + ε) + β is a factor and a shift a channel: taken into the weights and bias before it,
  /// where those are sums that nothing has happened to yet.
  private mutating func addNormalization(_ layer: BatchNormalization, _ position: Int, channels: Int) {
    func parameter(_ name: String) -> [Float] { values(position, name) ?? [] }
    let factors = zip(parameter("scale"), parameter("runningVariance")).map {
      $0 / ($1 + layer.epsilon).squareRoot()
    }
    let shifts = zip(parameter("shift"), zip(parameter("runningMean"), factors)).map { $0 - $1.0 * $1.1 }
    switch operations.last {
    case .convolution(var last) where last.activation == .none:
      last.bias = fold(factors, shifts, into: last.weights, last.bias)
      operations[operations.count - 1] = .convolution(last)
    case .dense(var last) where last.activation == .none:
      last.bias = fold(factors, shifts, into: last.weights, last.bias)
      operations[operations.count - 1] = .dense(last)
    default: operations.append(.affine(scale: addColumn(factors), shift: addColumn(shifts)))
    }
  }

  private mutating func fold(_ factors: [Float], _ shifts: [Float], into weights: Int, _ bias: Int) -> Int {
    let columns = tensors[weights].columns
    for row in factors.indices {
      for column in row * columns..<(row + 1) * columns { tensors[weights].values[column] *= factors[row] }
    }
    guard bias != InkFormat.noTensor else { return addColumn(shifts) }
    for row in factors.indices {
      tensors[bias].values[row] = tensors[bias].values[row] * factors[row] + shifts[row]
    }
    return bias
  }
}

extension Extent3 {
  init(_ shape: ImageShape) {
    self.init(channels: shape.channels, height: shape.height, width: shape.width)
  }
}
