import Inference
import Training

/// Turns operations into nodes, one after another, and knows what lies between them.
///
/// Whole-number arithmetic is written as it is usual: the values are quantised and at once dequantised, and all nodes
/// compute with floats as far as the file says; a runtime sees from it what it may do with whole numbers.
struct ONNXLayers {
  let network: LoweredNetwork
  let tensors: [QuantizedMatrix]
  let options: ONNXOptions
  var graph = ONNXGraph()
  /// The name of the values so far.
  var current: String
  /// Their extent without the number of images.
  var extent: Extent3
  /// Whether they have the shape [N, count] rather than [N, channels, height, width].
  var isFlat = false
  /// What whole numbers they stand for; nil where they are any floats.
  var bytes: Bytes?
  /// That of the operation being written, from 1 on.
  private(set) var number = 0

  /// Bytes, which times the scale are the values.
  struct Bytes {
    var scale: Float
    /// The names of the scale and of the zero, whose type is that of the bytes.
    var parameters: [String]
  }

  init(
    _ network: LoweredNetwork, _ tensors: [QuantizedMatrix], _ options: ONNXOptions
  ) throws(InterchangeError) {
    (self.network, self.tensors, self.options) = (network, tensors, options)
    (current, extent) = (options.imageName, network.input.extent)
    try checkTensors()
    addImage()
    for operation in network.operations {
      number += 1
      try add(operation)
    }
    guard case .softmax? = network.operations.last else {
      throw InterchangeError("ONNX: expected a softmax as the last operation, found none; lower a checkpoint")
    }
    guard extent.count == network.labels.count, network.labelValues.count == network.labels.count else {
      throw InterchangeError(
        "ONNX: expected as many classes as the last layer has outputs, \(extent.count), found "
          + "\(network.labels.count) names and \(network.labelValues.count) label values; name each class")
    }
    addLabel()
  }

  // MARK: Ends

  private var usesWholeNumbers: Bool { network.operations.contains { $0.integers != nil } }

  private mutating func addImage() {
    let (input, isFloat) = (network.input, options.input == .float)
    if usesWholeNumbers {
      let zero = graph.add(ONNXTensor("image/zero", zeroOf: .uint8))
      if isFloat {
        let one = graph.add(ONNXTensor("image/one", floats: [1], shape: []))
        current = graph.add("QuantizeLinear", [current, one, zero], to: "image/pixels")
      }
      let scale = graph.add(ONNXTensor("image/scale", floats: [input.scale], shape: []))
      current = graph.add("DequantizeLinear", [current, scale, zero], to: "image/scaled")
      bytes = input.offset == 0 ? Bytes(scale: input.scale, parameters: [scale, zero]) : nil
    } else {
      if !isFloat { current = addCast(current, to: "image/floats") }
      let scale = graph.add(ONNXTensor("image/scale", floats: [input.scale], shape: []))
      current = graph.add("Mul", [current, scale], to: "image/scaled")
    }
    if input.offset != 0 {
      let offset = graph.add(ONNXTensor("image/offset", floats: [input.offset], shape: []))
      current = graph.add("Add", [current, offset], to: "image/shifted")
    }
  }

  /// The label value of the first of the most probable classes.
  private mutating func addLabel() {
    let values = network.labelValues
    let isIndex = values == Array(values.indices)
    let index = graph.add(
      "ArgMax", [current], to: isIndex ? options.labelName : "label/index",
      [.init("axis", .integer(1)), .init("keepdims", .integer(0))])
    if isIndex { return }
    let table = graph.add(ONNXTensor("label/values", int64s: values, shape: [values.count]))
    graph.add("Gather", [table, index], to: options.labelName, [.init("axis", .integer(0))])
  }

  // MARK: Operations

  private mutating func add(_ operation: Operation) throws(InterchangeError) {
    switch operation {
    case .convolution(let convolution): try add(convolution)
    case .dense(let dense): try add(dense)
    case .maximumPool(let window): try addMaximumPool(window)
    case .averagePool(let window): try addAveragePool(window)
    case .globalAveragePool: addGlobalAveragePool()
    case .flatten: addFlat()
    case .softmax:
      addFlat()
      let isLast = number == network.operations.count
      current = graph.add(
        "Softmax", [current], to: isLast ? options.probabilitiesName : name("output"),
        [.init("axis", .integer(1))])
      bytes = nil
    case .activation(let activation):
      add(activation)
      bytes = nil
    case .affine(let scale, let shift): try addAffine(scale, shift)
    }
  }

  // MARK: Shapes

  mutating func addFlat() {
    if !isFlat { current = graph.add("Flatten", [current], to: name("flat"), [.init("axis", .integer(1))]) }
    (isFlat, extent) = (true, Extent3(channels: extent.count, height: 1, width: 1))
  }

  /// For what takes images, though each has a single pixel.
  mutating func addSpatial() {
    guard isFlat else { return }
    let axes = graph.add(ONNXTensor(name("axes"), int64s: [2, 3], shape: [2]))
    current = graph.add("Unsqueeze", [current, axes], to: name("image"))
    isFlat = false
  }

  func windows(_ window: Operation.Window, over image: Extent3) throws(InterchangeError) -> Extent3 {
    guard window.down > 0, window.across > 0, window.height > 0, window.width > 0,
      image.height >= window.height, image.width >= window.width
    else {
      throw error(
        "a window no larger than the image of \(image.height)×\(image.width)",
        "one of \(window.height)×\(window.width)")
    }
    return Extent3(
      channels: image.channels, height: (image.height - window.height) / window.down + 1,
      width: (image.width - window.width) / window.across + 1)
  }

  // MARK: Words

  func name(_ what: String) -> String { "layer\(number)/\(what)" }

  func error(
    _ expected: String, _ found: String, remedy: String = "lower a checkpoint and store its tensors"
  ) -> InterchangeError {
    InterchangeError("ONNX: operation \(number): expected \(expected), found \(found); \(remedy)")
  }
}

extension Operation {
  fileprivate var integers: IntegerScales? {
    switch self {
    case .convolution(let convolution): convolution.integers
    case .dense(let dense): dense.integers
    default: nil
    }
  }
}
