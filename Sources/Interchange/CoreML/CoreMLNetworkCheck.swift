import Inference

/// Walks through a network's layers with the extent of what each gives, and finds what does not fit.
struct CoreMLNetworkCheck {
  /// What each name stands for: channels × height × width; a vector has only channels.
  private var values: [String: Extent3]
  private var layerNames: Set<String> = []
  private var encoding: String?

  /// The extent of what the last layer gives. Throws an `InterchangeError` for the first layer that is wrong.
  static func output(
    of network: CoreMLNetwork, for image: Extent3, named input: String
  ) throws(InterchangeError) -> Extent3 {
    try CoreMLCheck.require(
      network.scaling.input == input && network.scaling.channels == image.channels, "scaling of pixels",
      "that of the input \"\(input)\" of \(image.channels) channels",
      "that of \"\(network.scaling.input)\" of \(network.scaling.channels)")
    try CoreMLCheck.require(
      network.scaling.scale.isFinite && network.scaling.offset.isFinite, "scaling of pixels",
      "finite numbers",
      "\(network.scaling.scale) and \(network.scaling.offset)")
    var check = CoreMLNetworkCheck(values: [input: image])
    var last = image
    for layer in network.layers { last = try check.add(layer) }
    return last
  }

  private init(values: [String: Extent3]) { self.values = values }

  private mutating func add(_ layer: CoreMLLayer) throws(InterchangeError) -> Extent3 {
    let place = "layer \(layer.name)"
    try CoreMLCheck.require(
      !layer.name.isEmpty && layerNames.insert(layer.name).inserted, place, "a name of its own",
      "one that another layer has")
    guard let input = values[layer.input] else {
      throw InterchangeError(
        "Core ML: \(place): expected an input that an earlier layer gives, found \"\(layer.input)\"; this is a "
          + "fault of the exporter")
    }
    let output = try output(of: layer, for: input, place)
    try CoreMLCheck.require(
      values.updateValue(output, forKey: layer.output) == nil && !layer.output.isEmpty, place,
      "a name for its output that nothing else has", "\"\(layer.output)\"", "choose other names")
    if let found = layer.weights.first?.encoding {
      let expected = encoding ?? found
      try CoreMLCheck.require(
        found == expected, place, "\(expected) weights, as in the layers before", found)
      encoding = expected
    }
    return output
  }

  /// The extent of what a layer gives; throws where it cannot take its input.
  private func output(
    of layer: CoreMLLayer, for input: Extent3, _ place: String
  ) throws(InterchangeError) -> Extent3 {
    switch layer.content {
    case .convolution(let layer): return try output(of: layer, for: input, place)
    case .pool(let layer):
      guard let window = layer.window else {
        return Extent3(channels: input.channels, height: 1, width: 1)
      }
      return try output(of: window, for: input, CoreMLLayer.Padding(), channels: input.channels, place)
    case .dense(let layer):
      try CoreMLCheck.require(
        input == Extent3(channels: layer.inputs, height: 1, width: 1), place,
        "a vector of \(layer.inputs) values",
        "\(input.channels)x\(input.height)x\(input.width)")
      try check(
        layer.weights, layer.bias, rows: layer.outputs, columns: layer.inputs, place)
      return Extent3(channels: layer.outputs, height: 1, width: 1)
    case .batchNormalization(let scale, let shift):
      try CoreMLCheck.require(
        scale.count == input.channels && shift.count == input.channels, place,
        "a scale and a shift for each of \(input.channels) channels", "\(scale.count) and \(shift.count)")
      return input
    case .bias(let values):
      try CoreMLCheck.require(
        values.count == input.channels, place, "a number for each of \(input.channels) channels",
        "\(values.count)")
      return input
    case .flatten: return Extent3(channels: input.count, height: 1, width: 1)
    case .softmax:
      try CoreMLCheck.require(
        input.planeCount == 1, place, "a vector", "\(input.channels)x\(input.height)x\(input.width)")
      return input
    case .rectifier, .leakyRectifier: return input
    }
  }

  private func output(
    of layer: CoreMLLayer.Convolution, for input: Extent3, _ place: String
  ) throws(InterchangeError) -> Extent3 {
    try CoreMLCheck.require(
      layer.groups > 0 && layer.outputs > 0 && layer.outputs % layer.groups == 0
        && layer.kernelChannels * layer.groups == input.channels,
      place, "\(layer.groups) groups of \(layer.kernelChannels) channels", "\(input.channels) channels")
    try check(
      layer.weights, layer.bias, rows: layer.outputs,
      columns: layer.kernelChannels * layer.window.height * layer.window.width, place)
    return try output(of: layer.window, for: input, layer.padding, channels: layer.outputs, place)
  }

  private func output(
    of window: Operation.Window, for input: Extent3, _ padding: CoreMLLayer.Padding, channels: Int,
    _ place: String
  ) throws(InterchangeError) -> Extent3 {
    let (height, width) = (
      input.height + padding.top + padding.bottom, input.width + padding.left + padding.right
    )
    try CoreMLCheck.require(
      window.height > 0 && window.width > 0 && window.down > 0 && window.across > 0
        && window.height <= height && window.width <= width,
      place, "a window within \(height)x\(width) values",
      "\(window.height)x\(window.width) by steps of \(window.down)x\(window.across)")
    return Extent3(
      channels: channels, height: (height - window.height) / window.down + 1,
      width: (width - window.width) / window.across + 1)
  }

  /// Weights [rows, columns] and, if there is a bias, one number a row, of a kind that may stand beside them.
  private func check(
    _ weights: CoreMLWeights, _ bias: CoreMLWeights?, rows: Int, columns: Int, _ place: String
  ) throws(InterchangeError) {
    try CoreMLCheck.require(
      weights.holds(rows * columns, rows: rows), place, "\(rows)x\(columns) weights", weights.size)
    guard let bias else { return }
    try CoreMLCheck.require(bias.holds(rows, rows: rows), place, "\(rows) numbers as bias", bias.size)
    try CoreMLCheck.require(
      weights.takesBias && bias.encoding == "float32", place,
      "a bias of float32, or a layer of its own for it",
      "\(bias.encoding) beside weights of \(weights.encoding)")
  }
}
