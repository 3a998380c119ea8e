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
  private var list = OperationList()

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
      operations: list.operations + [.softmax],
      tensors: list.tensors, labels: classes.names, labelValues: classes.values)
  }

  mutating func add(_ position: Int) throws(ExportError) {
    let (input, output) = (model.architecture.input(of: position), model.architecture.outputs[position])
    switch model.architecture.layers[position] {
    case .convolution(let layer): try add(layer, position, input, output)
    case .dense(let layer):
      list.addDense(weights(of: position, rows: layer.outputs), bias: values(position, "bias"))
    case .rectifier(let layer): list.add(layer.slope == 0 ? .rectifier : .leaky(layer.slope))
    case .pool(let layer):
      let window = try window(layer.kernel, layer.stride, layer)
      list.add(layer.kind == .maximum ? .maximumPool(window) : .averagePool(window))
    case .globalAveragePool: list.add(.globalAveragePool)
    case .batchNormalization(let layer): addNormalization(layer, position)
    case .dropout: break
    case .flatten: list.add(.flatten)
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
    list.addConvolution(
      weights(of: position, rows: layer.filters), bias: values(position, "bias"),
      window: try window(layer.kernel, layer.stride, layer), padding: padding, groups: layer.groups)
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

  private func weights(of position: Int, rows: Int) -> LoweredNetwork.Matrix {
    let values = values(position, "weight") ?? []
    return LoweredNetwork.Matrix(rows: rows, columns: values.count / rows, values: values, isWeight: true)
  }

  /// γ (x - mean) / √(variance + ε) + β is a factor and a shift a channel.
  private mutating func addNormalization(_ layer: BatchNormalization, _ position: Int) {
    func parameter(_ name: String) -> [Float] { values(position, name) ?? [] }
    let factors = zip(parameter("scale"), parameter("runningVariance")).map {
      $0 / ($1 + layer.epsilon).squareRoot()
    }
    let shifts = zip(parameter("shift"), zip(parameter("runningMean"), factors)).map { $0 - $1.0 * $1.1 }
    list.addAffine(factors: factors, shifts: shifts)
  }
}

extension Extent3 {
  init(_ shape: ImageShape) {
    self.init(channels: shape.channels, height: shape.height, width: shape.width)
  }
}
