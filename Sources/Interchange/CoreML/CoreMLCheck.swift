import Inference

/// Judges a whole model before it is written, since neither Apple's validator nor coremltools does on Linux:
/// what is wrong would be found on the device, or never.
enum CoreMLCheck {
  /// Throws for the first thing that is wrong, an `InterchangeError` that says where.
  static func check(_ file: CoreMLFile) throws(InterchangeError) {
    let floor = floor(file)
    try require(
      file.version >= floor, "version", "\(floor) or a later one for what is in the model", "\(file.version)")
    try checkFeatures(file)
    switch file.content {
    case .network(let network): try check(network, gives: file)
    case .classifier(let network, let labels): try check(network, of: labels, file)
    case .neighbors(let neighbors): try check(neighbors, file)
    case .pipeline(let models): try check(models, file)
    }
    try checkUpdating(file)
  }

  static func require(
    _ isRight: Bool, _ place: String, _ expected: String, _ found: @autoclosure () -> String,
    _ remedy: String = "this is a fault of the exporter"
  ) throws(InterchangeError) {
    guard !isRight else { return }
    throw InterchangeError("Core ML: \(place): expected \(expected), found \(found()); \(remedy)")
  }

  /// The first version of the format that has all that is in a model.
  private static func floor(_ file: CoreMLFile) -> Int {
    let updatable = file.isUpdatable ? 4 : 1
    return switch file.content {
    case .network(let network), .classifier(let network, _):
      network.layers.flatMap(\.weights).reduce(updatable) { max($0, $1.firstVersion) }
    case .neighbors: 4
    case .pipeline(let models): models.reduce(updatable) { max($0, max($1.version, Self.floor($1))) }
    }
  }

  // MARK: Inputs and outputs

  private static func checkFeatures(_ file: CoreMLFile) throws(InterchangeError) {
    let names = (file.inputs + file.outputs).map(\.name)
    try require(
      names.allSatisfy { !$0.isEmpty } && Set(names).count == names.count, "names of input and outputs",
      "names that differ and are not empty", names.map { "\"\($0)\"" }.joined(separator: ", "),
      "choose other names")
    try require(file.inputs.count == 1, "inputs", "one", "\(file.inputs.count)")
    if case .network = file.content { return }
    try require(
      file.outputs.contains { $0.name == file.label && $0.type == .string }, "label",
      "an output of strings named \"\(file.label)\"", "none")
    try require(
      file.outputs.contains { $0.name == file.probabilities && $0.type == .dictionary }, "probabilities",
      "an output of probabilities named \"\(file.probabilities)\"", "none")
  }

  private static func imageExtent(_ file: CoreMLFile) throws(InterchangeError) -> Extent3 {
    guard case .image(let extent)? = file.inputs.first?.type else {
      throw InterchangeError("Core ML: input: expected an image, found none; this is a fault of the exporter")
    }
    try require(
      [1, 3].contains(extent.channels) && extent.height > 0 && extent.width > 0, "input",
      "an image of 1 or 3 channels", "\(extent.channels)x\(extent.height)x\(extent.width)")
    return extent
  }

  // MARK: Contents

  private static func check(_ network: CoreMLNetwork, gives file: CoreMLFile) throws(InterchangeError) {
    let given = try CoreMLNetworkCheck.output(
      of: network, for: try imageExtent(file), named: file.inputs[0].name)
    let vector = CoreMLFile.FeatureType.vector(given.channels)
    try require(
      given.planeCount == 1 && file.outputs.map(\.type) == [vector], "output",
      "a vector of \(given.count) values",
      "\(file.outputs.map(\.type))")
    try require(
      network.layers.last?.output == file.outputs[0].name, "output",
      "\"\(file.outputs[0].name)\" of the last layer",
      "\"\(network.layers.last?.output ?? "")\"")
  }

  private static func check(
    _ network: CoreMLNetwork, of labels: [String], _ file: CoreMLFile
  ) throws(InterchangeError) {
    let given = try CoreMLNetworkCheck.output(
      of: network, for: try imageExtent(file), named: file.inputs[0].name)
    guard let last = network.layers.last, case .softmax = last.content else {
      throw InterchangeError(
        "Core ML: last layer: expected a softmax, found \(network.layers.last?.name ?? "none"); end the network "
          + "in one")
    }
    try require(
      last.output == file.probabilities, "last layer", "an output \"\(file.probabilities)\"",
      "\"\(last.output)\"")
    try require(
      given.planeCount == 1 && given.channels == labels.count, "labels",
      "one for each of the last layer's \(given.count) values, which are a vector", "\(labels.count)")
    try require(
      Set(labels).count == labels.count, "labels", "labels that differ",
      "\(Set(labels).count) in \(labels.count)",
      "name each class in its own way")
  }

  private static func check(_ neighbors: CoreMLNeighbors, _ file: CoreMLFile) throws(InterchangeError) {
    let (dimensions, count) = (neighbors.dimensions, neighbors.count)
    try require(
      dimensions > 0 && file.inputs[0].type == .vector(dimensions), "neighbours",
      "an input of \(dimensions) values", "\(file.inputs[0].type)")
    try require(
      neighbors.samples.allSatisfy { $0.count == dimensions }, "samples", "\(dimensions) values each",
      "\(neighbors.samples.map(\.count))")
    try require(
      neighbors.labels.count == neighbors.samples.count, "labels of samples", "\(neighbors.samples.count)",
      "\(neighbors.labels.count)")
    try require(!neighbors.defaultLabel.isEmpty, "label of what is unlike any sample", "a name", "none")
    try require(
      count.isInRange, "neighbours", "a number in \(count.range)", "\(count.value)", "choose another")
  }

  private static func check(_ models: [CoreMLFile], _ file: CoreMLFile) throws(InterchangeError) {
    var features = file.inputs
    for model in models {
      try check(model)
      try require(
        model.inputs == features, "pipeline", "a model that takes \(features.map(\.name))",
        "one that takes \(model.inputs.map(\.name))")
      features = model.outputs
    }
    try require(
      features == file.outputs && !models.isEmpty, "pipeline", "outputs \(file.outputs.map(\.name))",
      "\(features.map(\.name))")
  }
}

extension CoreMLNumber {
  /// Whether a program may leave it as it is.
  var isInRange: Bool { range.contains(value) }
}
