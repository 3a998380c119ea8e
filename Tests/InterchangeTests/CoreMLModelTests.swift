import Inference
import SampleNetworks
import Tensors
import Testing
import Training

@testable import Interchange

/// What stands in which field, by the numbers of Core ML's specification.
struct CoreMLModelTests {
  private static let sample = SampleNetwork(
    layers: "conv 3x3 4 stride 2 same, relu, batchnorm, leakyrelu 0.1, maxpool 2, conv 1x1 2, avgpool 1x2, "
      + "dense 6, relu, dense 3")

  private func model(
    _ sample: SampleNetwork = Self.sample, _ type: TensorType = .float32,
    _ options: CoreMLOptions = CoreMLOptions(), notes: ModelNotes = ModelNotes()
  ) throws -> CoreMLModel {
    let network = try sample.checkpoint().lowered()
    return try CoreMLModel(network, tensors: network.stored(type), options: options, notes: notes)
  }

  private func message(_ model: CoreMLModel) throws -> CoreMLMessage { try CoreMLMessage(model.bytes[...]) }

  @Test func aPlainModelTakesAnImageAndGivesLabelAndProbabilities() throws {
    let model = try model()
    let message = try message(model)
    #expect(message.numbers == [1, 2, 403])
    #expect(message.integer(1) == 1 && model.specificationVersion == 1)
    let description = try message.message(2)
    #expect(description.numbers == [1, 10, 11, 12, 100])
    let input = try description.message(1)
    #expect(input.strings(1) == ["image"])
    let image = try input.message(3, 4)
    #expect([1, 2, 3].map(image.integer) == [12, 12, 10])
    let outputs = try description.messages(10)
    #expect(outputs.map { $0.strings(1) } == [["classLabel"], ["labelProbabilities"]])
    #expect(try outputs[0].message(3).numbers == [3])
    #expect(try outputs[1].message(3, 6).numbers == [2])
    #expect(description.strings(11) == ["classLabel"] && description.strings(12) == ["labelProbabilities"])
    let classifier = try message.message(403)
    #expect(classifier.numbers == [1, 2, 100, 200])
    let scaling = try classifier.message(2)
    #expect(scaling.strings(1) == ["image"])
    #expect(try scaling.message(10).float(10) == 1 / 255)
    #expect(try scaling.message(10).numbers == [10, 30])
    #expect(try classifier.message(100).strings(1) == ["class 0", "class 1", "class 2"])
    #expect(classifier.strings(200) == ["labelProbabilities"])
  }

  @Test func layersAreAChainWithTheirSettings() throws {
    let layers = try message(model()).message(403).messages(1)
    #expect(
      layers.flatMap { $0.strings(1) } == [
        "convolution1", "relu1", "batchnorm1", "relu2", "pool1", "convolution2", "pool2", "flatten1",
        "dense1",
        "relu3", "dense2", "softmax1",
      ])
    #expect(
      layers.flatMap { $0.numbers.filter { $0 >= 100 } } == [
        100, 130, 160, 130, 120, 100, 120, 301, 140, 130, 140, 175,
      ])
    let outputs = layers.flatMap { $0.strings(3) }
    #expect(layers.flatMap { $0.strings(2) } == ["image"] + outputs.dropLast())
    let convolution = try layers[0].message(100)
    #expect([1, 2, 10, 70].map(convolution.integer) == [4, 1, 1, 1])
    #expect(convolution.smallIntegers(20) == [3, 3] && convolution.smallIntegers(30) == [2, 2])
    // 12 rows by steps of 2 with one zero, below.
    let borders = try convolution.message(50, 1).messages(10)
    #expect(borders.map { $0.integer(1) } == [0, 0] && borders.map { $0.integer(2) } == [1, 1])
    #expect(try convolution.message(90).floats(1).count == 36)
    #expect(try convolution.message(91).floats(1).count == 4)
    #expect(try layers[1].message(130).numbers == [10])
    #expect(try layers[3].message(130, 15).float(1) == 0.1)
    let pools = try [layers[4].message(120), layers[6].message(120)]
    #expect(pools.map { $0.integer(1) } == [0, 1])
    #expect(pools.map { $0.smallIntegers(10) } == [[2, 2], [1, 2]])
    #expect(pools.map { $0.smallIntegers(20) } == [[2, 2], [1, 2]])
    #expect(try pools.map { try $0.message(30).numbers } == [[1], [1]])
    let dense = try layers[8].message(140)
    #expect([1, 2, 10].map(dense.integer) == [6, 6, 1])
    #expect(try dense.message(20).floats(1).count == 36)
  }

  /// An epsilon left out would be 1e-5; here it and the variance are exactly 1 together.
  @Test func anAffineLayerIsANormalisationThatDividesByOne() throws {
    let network = try Self.sample.checkpoint().lowered()
    let normalization = try message(model()).message(403).messages(1)[2].message(160)
    guard case .affine(let scale, let shift)? = network.operations.first(where: \.isAffine) else {
      Issue.record("no affine layer")
      return
    }
    #expect(normalization.integer(1) == 4)
    #expect(try normalization.message(15).floats(1) == network.tensors[scale].values)
    #expect(try normalization.message(16).floats(1) == network.tensors[shift].values)
    #expect(try normalization.message(17).floats(1) == [0, 0, 0, 0])
    let epsilon = try #require(normalization.float(10))
    #expect(epsilon > 0)
    #expect(try normalization.message(18).floats(1).map { $0 + epsilon } == [1, 1, 1, 1])
  }

  @Test func aGlobalPoolNeedsNoWindow() throws {
    let sample = SampleNetwork(
      layers: "conv 1x1 3, globalavgpool", shape: ImageShape(channels: 3, height: 4, width: 5))
    let message = try message(model(sample))
    let image = try message.message(2, 1, 3, 4)
    #expect([1, 2, 3].map(image.integer) == [5, 4, 20])
    #expect(try message.message(403, 2, 10).numbers == [10, 20, 21, 22])
    let layers = try message.message(403).messages(1)
    #expect(layers.flatMap { $0.strings(1) } == ["convolution1", "pool1", "flatten1", "softmax1"])
    let pool = try layers[1].message(120)
    #expect(pool.integer(1) == 1 && pool.integer(60) == 1 && pool.numbers == [1, 30, 60])
  }

  @Test(arguments: zip(TensorType.allCases, [1, 2, 3, 3]))
  func eachKindOfWeightsHasItsVersion(type: TensorType, version: Int) throws {
    let model = try model(Self.sample, type)
    #expect(model.specificationVersion == version)
    let layers = try message(model).message(403).messages(1)
    let index = try #require(layers.firstIndex { $0.strings(1) == ["dense1"] })
    let dense = try layers[index].message(140)
    let weights = try dense.message(20)
    let bias = type == .float16 ? try layers[index + 1].message(250, 2) : try dense.message(21)
    #expect(bias.floats(1).count == 6)
    switch type {
    case .float32: #expect(weights.numbers == [1])
    // No bias of another kind may stand beside halves.
    case .float16:
      #expect(weights.numbers == [2] && weights.bytes(2)[0].count == 72)
      #expect(dense.integer(10) == 0 && dense.numbers == [1, 2, 10, 20])
      #expect(try layers[index + 1].message(250).smallIntegers(1) == [6])
    case .int8, .int4:
      #expect(weights.numbers == [30, 40])
      #expect(weights.bytes(30)[0].count == (type == .int8 ? 36 : 18))
      let quantization = try weights.message(40)
      #expect(quantization.integer(1) == (type == .int8 ? 8 : 4))
      let (scales, offsets) = try (quantization.message(101).floats(1), quantization.message(101).floats(2))
      #expect(scales.count == 6 && offsets == scales.map { $0 * (type == .int8 ? -128 : -8) })
    }
  }

  @Test func theDeviceMayTrainTheDenseLayersAtTheEnd() throws {
    let update = CoreMLOptions.Update(
      optimizer: .sgd(learningRate: 0.02, momentum: 0.5), batchSize: 8, epochs: 3, shuffles: true, seed: 9)
    let message = try message(model(Self.sample, .float32, CoreMLOptions(kind: .updatable(update))))
    #expect(message.integer(1) == 4 && message.integer(10) == 1)
    let description = try message.message(2)
    #expect(try description.message(1).strings(1) == ["drawing"])
    #expect(description.strings(11) == ["label"] && description.strings(12) == ["labelProbs"])
    // The same bytes as those of the input and of the label.
    #expect(description.bytes(50) == [description.bytes(1)[0], description.bytes(10)[0]])
    let layers = try message.message(403).messages(1)
    #expect(layers.filter { $0.integer(10) == 1 }.flatMap { $0.strings(1) } == ["dense1", "dense2"])
    for dense in try [layers[8].message(140), layers[10].message(140)] {
      #expect(try dense.message(20).integer(50) == 1 && dense.message(21).integer(50) == 1)
    }
    #expect(try layers[0].message(100, 90).integer(50) == nil)
    let parameters = try message.message(403, 10)
    #expect(parameters.numbers == [1, 2, 3, 10, 20])
    let loss = try parameters.message(1, 10)
    #expect(loss.strings(1) == ["labelProbs"] && loss.strings(2) == ["labelProbs_true"])
    let rule = try parameters.message(2, 10)
    #expect(rule.numbers == [1, 2, 3])
    #expect(try rule.message(1).double(1) == 0.02 && rule.message(3).double(1) == 0.5)
    #expect(try rule.message(1, 10).double(2) == 1)
    #expect(try rule.message(2).integer(1) == 8 && rule.message(2, 10).integer(1) == 1)
    #expect(try parameters.message(3).integer(1) == 3)
    #expect(try parameters.message(10).integer(1) == 1 && parameters.message(20).integer(1) == 9)
  }

  @Test func theRuleMayBeAdam() throws {
    let update = CoreMLOptions.Update(optimizer: .adam())
    let message = try message(model(Self.sample, .float32, CoreMLOptions(kind: .updatable(update))))
    let rule = try message.message(403, 10, 2, 11)
    #expect(rule.numbers == [1, 2, 3, 4, 5])
    #expect(try [1, 3, 4, 5].map { try rule.message($0).double(1) } == [0.001, 0.9, 0.999, 1e-8])
  }

  @Test(arguments: TensorType.allCases) func neighborsAnswerByWhatGoesIntoTheLastDenseLayer(type: TensorType)
    throws
  {
    let message = try message(model(Self.sample, type, CoreMLOptions(kind: .updatableNeighbors(count: 5))))
    #expect(message.numbers == [1, 2, 10, 200] && message.integer(1) == 4 && message.integer(10) == 1)
    let description = try message.message(2)
    #expect(description.bytes(50) == [description.bytes(1)[0], description.bytes(10)[0]])
    let models = try message.message(200, 1).messages(1)
    #expect(models.map { $0.numbers } == [[1, 2, 500], [1, 2, 10, 404]])
    let layers = try models[0].message(500).messages(1)
    #expect(layers.last?.strings(1) == ["relu3"] && layers.last?.strings(3) == ["embedding"])
    let embedding = try models[0].message(2, 10)
    #expect(embedding.strings(1) == ["embedding"])
    // Six values of float32.
    #expect(
      try embedding.message(3, 5).smallIntegers(1) == [6] && embedding.message(3, 5).integer(2) == 65_568)
    let trained = try models[1].message(2)
    #expect(trained.bytes(1) == [try models[0].message(2).bytes(10)[0]])
    #expect(trained.bytes(50) == [trained.bytes(1)[0], trained.bytes(10)[0]])
    let neighbors = try models[1].message(404)
    #expect(neighbors.numbers == [1, 3, 100, 110, 210])
    #expect(try neighbors.message(1).integer(1) == 6 && neighbors.message(1).numbers == [1, 100, 200])
    #expect(try neighbors.message(3).integer(1) == 5)
    #expect(try neighbors.message(100).numbers == [] && neighbors.strings(110) == ["unknown"])
  }

  @Test func namesAndNotesAreTheUsers() throws {
    let names = CoreMLOptions.Names(input: "picture", label: "digit", probabilities: "chances")
    let notes = ModelNotes(author: "A", license: "MIT", summary: "Digits", facts: [("accuracy", "0.99")])
    let description = try message(
      model(Self.sample, .float32, CoreMLOptions(names: names), notes: notes)
    ).message(2)
    #expect(try description.message(1).strings(1) == ["picture"])
    #expect(description.strings(11) == ["digit"] && description.strings(12) == ["chances"])
    let metadata = try description.message(100)
    #expect([1, 3, 4].map(metadata.strings) == [["Digits"], ["A"], ["MIT"]])
    let fact = try metadata.message(100)
    #expect(fact.strings(1) == ["accuracy"] && fact.strings(2) == ["0.99"])
  }

  /// What the check lets pass is sound; that it finds what is not, its own tests show.
  @Test(arguments: SampleNetwork.all.filter { [1, 3].contains($0.shape.channels) }, TensorType.allCases)
  func everyOperationPassesTheCheck(sample: SampleNetwork, type: TensorType) throws {
    #expect(try model(sample, type).bytes == model(sample, type).bytes)
  }
}

extension LoweredNetwork {
  /// Its matrices with all weights of one type.
  func stored(_ type: TensorType) -> [QuantizedMatrix] {
    tensors.map { QuantizedMatrix($0, as: $0.isWeight ? type : .float32) }
  }
}

extension Inference.Operation {
  fileprivate var isAffine: Bool { if case .affine = self { true } else { false } }
}
