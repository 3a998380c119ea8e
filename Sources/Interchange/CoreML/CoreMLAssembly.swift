import Inference
import Training

/// Puts a model together of a network's layers.
struct CoreMLAssembly {
  private let network: LoweredNetwork
  private let layers: [CoreMLLayer]
  private let names: CoreMLOptions.Names
  private let notes: ModelNotes

  init(
    _ network: LoweredNetwork, tensors: [QuantizedMatrix], names: CoreMLOptions.Names, notes: ModelNotes
  ) throws(InterchangeError) {
    guard [1, 3].contains(network.input.extent.channels) else {
      throw InterchangeError(
        "Core ML: input: expected images of 1 or 3 channels, found \(network.input.extent.channels); only grey "
          + "and coloured images can be handed to a Core ML model")
    }
    self.network = network
    self.names = names
    self.notes = notes
    layers = try CoreMLTranslation(network, tensors: tensors, names: names).layers
  }

  func file(_ kind: CoreMLOptions.Kind) throws(InterchangeError) -> CoreMLFile {
    switch kind {
    case .plain: classifier(layers, update: nil)
    case .updatable(let update):
      classifier(try withUpdatableEnd(layers), update: CoreMLNetwork.Update(update, names))
    case .updatableNeighbors(let count): try neighbors(count)
    }
  }

  // MARK: Kinds

  private func classifier(_ layers: [CoreMLLayer], update: CoreMLNetwork.Update?) -> CoreMLFile {
    var network = network(layers)
    network.update = update
    return CoreMLFile(
      version: version(update == nil ? 1 : Self.updatableVersion), inputs: [image], outputs: answers,
      trainingInputs: update == nil ? [] : [image, answers[0]], label: names.label,
      probabilities: names.probabilities, notes: allNotes, isUpdatable: update != nil,
      content: .classifier(network, labels: self.network.labels))
  }

  /// The layers with the dense ones at the end marked, as far back as the device can carry gradients.
  private func withUpdatableEnd(_ layers: [CoreMLLayer]) throws(InterchangeError) -> [CoreMLLayer] {
    var result = layers
    back: for index in layers.indices.dropLast().reversed() {
      switch layers[index].content {
      case .dense(var dense):
        dense.weights.isUpdatable = true
        dense.bias?.isUpdatable = true
        result[index].content = .dense(dense)
        result[index].isUpdatable = true
      // A bias of its own stands behind weights that the check will refuse.
      case .rectifier, .batchNormalization, .bias, .flatten: continue
      case .convolution, .pool, .leakyRectifier, .softmax: break back
      }
    }
    guard result.contains(where: \.isUpdatable) else {
      throw InterchangeError(
        "Core ML: expected a network that ends in a dense layer, to be updated, found "
          + "\(layers.dropLast().last?.name ?? "no layer"); add a dense layer, or export it as it is")
    }
    return result
  }

  private func neighbors(_ count: Int) throws(InterchangeError) -> CoreMLFile {
    let last = layers.indices.last { index in if case .dense = layers[index].content { true } else { false } }
    guard let last, last > 0, case .dense(let dense) = layers[last].content else {
      throw InterchangeError(
        "Core ML: expected a network with a dense layer, what goes into the last of which is compared with "
          + "examples, found none; add a dense layer, or export it as it is")
    }
    var embedding = Array(layers[..<last])
    embedding[last - 1].output = Self.embeddingName
    let vector = CoreMLFile.Feature(
      name: Self.embeddingName, summary: "What the network sees in the image", type: .vector(dense.inputs))
    let version = version(Self.updatableVersion)
    let stages = [
      CoreMLFile(version: version, inputs: [image], outputs: [vector], content: .network(network(embedding))),
      CoreMLFile(
        version: version, inputs: [vector], outputs: answers, trainingInputs: [vector, answers[0]],
        label: names.label, probabilities: names.probabilities, isUpdatable: true,
        content: .neighbors(
          CoreMLNeighbors(
            dimensions: dense.inputs, defaultLabel: Self.unknownLabel,
            count: CoreMLNumber(value: count, range: 1...100)))),
    ]
    return CoreMLFile(
      version: version, inputs: [image], outputs: answers, trainingInputs: [image, answers[0]],
      label: names.label, probabilities: names.probabilities, notes: allNotes, isUpdatable: true,
      content: .pipeline(stages))
  }

  private static let embeddingName = "embedding"
  private static let unknownLabel = "unknown"
  private static let updatableVersion = 4

  // MARK: Parts

  private func network(_ layers: [CoreMLLayer]) -> CoreMLNetwork {
    CoreMLNetwork(
      scaling: CoreMLNetwork.Scaling(
        input: names.input, scale: network.input.scale, offset: network.input.offset,
        channels: network.input.extent.channels),
      layers: layers)
  }

  /// The lowest version that has all that there is in the layers.
  private func version(_ lowest: Int) -> Int {
    layers.flatMap(\.weights).reduce(lowest) { max($0, $1.firstVersion) }
  }

  private var image: CoreMLFile.Feature {
    let input = network.input
    return CoreMLFile.Feature(
      name: names.input,
      summary: (input.isInkHigh ? "Ink is 255 and paper 0" : "Ink is 0 and paper 255")
        + (network.takesNormalizedInk ? ", in the form of Inkling's NormalizedInk" : ""),
      type: .image(input.extent))
  }

  private var answers: [CoreMLFile.Feature] {
    [
      CoreMLFile.Feature(name: names.label, summary: "The most probable class", type: .string),
      CoreMLFile.Feature(
        name: names.probabilities, summary: "The probability of each class", type: .dictionary),
    ]
  }

  /// With what the network knows and the format has no place for.
  private var allNotes: ModelNotes {
    var result = notes
    if network.refusalThreshold > 0 {
      result.facts.append(("refusalThreshold", "\(network.refusalThreshold)"))
    }
    return result
  }
}

extension CoreMLNetwork.Update {
  fileprivate init(_ update: CoreMLOptions.Update, _ names: CoreMLOptions.Names) {
    func share(_ value: Double) -> CoreMLNumber<Double> { CoreMLNumber(value: value, range: 0...1) }
    lossName = "loss"
    lossInput = names.probabilities
    target = "\(names.probabilities)_true"
    batchSize = CoreMLNumber(value: update.batchSize, range: 1...1024)
    epochs = CoreMLNumber(value: update.epochs, range: 1...1000)
    (shuffles, seed) = (update.shuffles, update.seed)
    optimizer =
      switch update.optimizer {
      case .sgd(let learningRate, let momentum):
        .sgd(learningRate: share(learningRate), momentum: share(momentum))
      case .adam(let learningRate, let beta1, let beta2, let epsilon):
        .adam(
          learningRate: share(learningRate), beta1: share(beta1), beta2: share(beta2), epsilon: share(epsilon)
        )
      }
  }
}
