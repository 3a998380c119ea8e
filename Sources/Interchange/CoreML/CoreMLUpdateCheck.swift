extension CoreMLCheck {
  /// Whether all that is marked can be trained, all that is needed for it is there, and nothing is where it
  /// cannot.
  static func checkUpdating(_ file: CoreMLFile) throws(InterchangeError) {
    switch file.content {
    case .network(let network), .classifier(let network, _):
      try require(
        file.isUpdatable == (network.update != nil), "updating",
        "a model that says whether it can be updated",
        file.isUpdatable ? "no way to train it" : "a way to train it")
      try checkMarks(network)
      if let update = network.update {
        try check(update)
        try checkWay(network, update)
      }
    case .neighbors: break
    case .pipeline(let models):
      let marks = models.map(\.isUpdatable)
      try require(
        !marks.dropLast().contains(true) && marks.last == file.isUpdatable, "pipeline",
        "one that can be updated only if its last model can", "\(marks)")
    }
    try checkTrainingInputs(file)
  }

  private static func checkTrainingInputs(_ file: CoreMLFile) throws(InterchangeError) {
    guard file.isUpdatable else {
      try require(
        file.trainingInputs.isEmpty, "training inputs", "none", "\(file.trainingInputs.map(\.name))")
      return
    }
    let label = file.outputs.first { $0.name == file.label }
    try require(
      file.trainingInputs == file.inputs + (label.map { [$0] } ?? []) && label != nil, "training inputs",
      "the input and the label", "\(file.trainingInputs.map(\.name))")
  }

  /// A layer is marked if and only if its weights are, and those are float32.
  private static func checkMarks(_ network: CoreMLNetwork) throws(InterchangeError) {
    for layer in network.layers {
      let place = "layer \(layer.name)"
      try require(
        layer.weights.allSatisfy { $0.isUpdatable == layer.isUpdatable }, place,
        "a layer marked as its weights and bias are", "marks that differ")
      guard layer.isUpdatable else { continue }
      try require(
        !layer.weights.isEmpty && network.update != nil, place, "a layer that can be trained",
        "a \(layer.kind)")
      for weights in layer.weights {
        try require(
          weights.encoding == "float32", place, "float32 weights, which can be updated", weights.encoding,
          "store weights as float32")
      }
    }
  }

  private static func check(_ update: CoreMLNetwork.Update) throws(InterchangeError) {
    func check(_ name: String, _ number: CoreMLNumber<some Any>) throws(InterchangeError) {
      try require(
        number.isInRange, name, "a number in \(number.range)", "\(number.value)", "choose one within")
    }
    try check("batch size", update.batchSize)
    try check("epochs", update.epochs)
    switch update.optimizer {
    case .sgd(let learningRate, let momentum):
      try check("learning rate", learningRate)
      try check("momentum", momentum)
    case .adam(let learningRate, let beta1, let beta2, let epsilon):
      try check("learning rate", learningRate)
      try check("beta1", beta1)
      try check("beta2", beta2)
      try check("epsilon", epsilon)
    }
  }

  /// The way from the loss back to the first layer that is marked has only layers that let gradients through.
  private static func checkWay(
    _ network: CoreMLNetwork, _ update: CoreMLNetwork.Update
  ) throws(InterchangeError) {
    let names = Set(network.layers.flatMap { [$0.input, $0.output] })
    try require(
      !names.contains(update.target) && !network.layers.contains { $0.name == update.lossName }, "loss",
      "names that no layer and no value has", "\"\(update.target)\" and \"\(update.lossName)\"",
      "choose other names")
    guard let softmax = network.layers.last, case .softmax = softmax.content,
      softmax.output == update.lossInput
    else {
      throw InterchangeError(
        "Core ML: loss: expected the output of the softmax at the end, found \"\(update.lossInput)\"; this is a "
          + "fault of the exporter")
    }
    guard let first = network.layers.firstIndex(where: \.isUpdatable) else {
      throw InterchangeError(
        "Core ML: updating: expected a layer to be trained, found none; this is a fault of the exporter")
    }
    for layer in network.layers[first...].dropLast() {
      switch layer.content {
      case .convolution, .dense, .flatten, .pool, .batchNormalization, .rectifier: break
      case .leakyRectifier, .bias, .softmax:
        try require(
          false, "layer \(layer.name)", "one that lets gradients through, behind one that is trained",
          "a \(layer.kind)")
      }
    }
  }
}
