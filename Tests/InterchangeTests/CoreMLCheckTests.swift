import Inference
import SampleNetworks
import Testing
import Training

@testable import Interchange

/// Each fault of a model, put into a sound one, is found.
struct CoreMLCheckTests {
  /// A change that makes a sound model one that must not be written, and a part of what the error then says.
  struct Fault: CustomTestStringConvertible, Sendable {
    var kind = CoreMLOptions.Kind.plain
    var type = TensorType.float32
    let error: String
    let change: @Sendable (inout CoreMLFile) -> Void

    var testDescription: String { error }
  }

  /// Layers: 0 convolution1, 1 relu1, 2 batchnorm1, 3 pool1, 4 flatten1, 5 dense1, 6 relu2, 7 dense2, 8
  /// softmax1. With halves each of the layers with weights has one for its bias behind it: dense1 is 6.
  private static let sample = SampleNetwork(
    layers: "conv 3x3 4 same, relu, batchnorm, maxpool 2, dense 6, relu, dense 3")

  private func file(_ kind: CoreMLOptions.Kind, _ type: TensorType) throws -> CoreMLFile {
    let network = try Self.sample.checkpoint().lowered()
    return try CoreMLAssembly(
      network, tensors: network.stored(type), names: CoreMLOptions(kind: kind).names, notes: ModelNotes()
    ).file(kind)
  }

  @Test(arguments: faults + updatingFaults + neighborFaults) func aFaultIsFound(fault: Fault) throws {
    var file = try file(fault.kind, fault.type)
    try CoreMLCheck.check(file)
    fault.change(&file)
    let error = #expect(throws: InterchangeError.self) { try CoreMLCheck.check(file) }
    #expect(error?.description.contains(fault.error) == true, "\(error?.description ?? "")")
  }

  static let faults: [Fault] = [
    Fault(type: .float16, error: "version: expected 2 or a later one") { $0.version = 1 },
    Fault(type: .int8, error: "version: expected 3 or a later one") { $0.version = 2 },
    Fault(error: "found \"image\", \"image\"") { $0.outputs[0].name = "image" },
    Fault(error: "choose other names") { $0.inputs[0].name = "" },
    Fault(error: "inputs: expected one, found 2") {
      $0.inputs.append(CoreMLFile.Feature(name: "other", type: .string))
    },
    Fault(error: "an output of strings named \"other\"") { $0.label = "other" },
    Fault(error: "an output of probabilities named \"other\"") { $0.probabilities = "other" },
    Fault(error: "expected an image, found none") { $0.inputs[0].type = .string },
    Fault(error: "1 or 3 channels, found 2x12x12") {
      $0.inputs[0].type = .image(Extent3(channels: 2, height: 12, width: 12))
    },
    Fault(error: "found that of \"other\"") { $0.network.scaling.input = "other" },
    Fault(error: "found that of \"image\" of 3") { $0.network.scaling.channels = 3 },
    Fault(error: "finite numbers, found inf") { $0.network.scaling.scale = .infinity },
    Fault(error: "one for each of the last layer's 3 values") { $0.labels.removeLast() },
    Fault(error: "labels that differ, found 2 in 3") { $0.labels[0] = $0.labels[1] },
    Fault(error: "expected a softmax, found dense2") { $0.network.layers.removeLast() },
    Fault(error: "last layer: expected an output \"labelProbabilities\", found \"other\"") {
      $0.network.layers[8].output = "other"
    },
    Fault(error: "layer relu1: expected a name of its own") { $0.network.layers[6].name = "relu1" },
    Fault(error: "layer relu2: expected an input that an earlier layer gives, found \"other\"") {
      $0.network.layers[6].input = "other"
    },
    Fault(error: "layer relu2: expected a name for its output that nothing else has") {
      $0.network.layers[6].output = $0.network.layers[5].output
    },
    Fault(
      type: .float16, error: "layer dense1: expected float16 weights, as in the layers before, found float32"
    ) {
      $0.changeDense(6) { dense in
        dense.weights = CoreMLWeights([Float](repeating: 0, count: 864))
        dense.bias = nil
      }
    },
    // Sizes.
    Fault(error: "layer dense1: expected a vector of 144 values, found 4x6x6") {
      $0.network.layers[5].input = $0.network.layers[3].output
    },
    Fault(error: "layer dense1: expected a vector of 145 values") { $0.changeDense(5) { $0.inputs = 145 } },
    Fault(error: "layer dense1: expected 6x144 weights, found 863") {
      $0.changeDense(5) { $0.weights = CoreMLWeights([Float](repeating: 0, count: 863)) }
    },
    Fault(error: "layer dense1: expected 6x144 weights, found 0") {
      $0.changeDense(5) { $0.weights = CoreMLWeights([]) }
    },
    Fault(type: .int8, error: "with 1 scales and 6 offsets") {
      $0.changeDense(5) { dense in
        guard case .linear(let bits, let bytes, let scales, let offsets) = dense.weights.storage else {
          return
        }
        dense.weights.storage = .linear(
          bits: bits, bytes: bytes, scales: Array(scales.prefix(1)), offsets: offsets)
      }
    },
    Fault(error: "layer dense1: expected 6 numbers as bias, found 5") {
      $0.changeDense(5) { $0.bias = CoreMLWeights([0, 0, 0, 0, 0]) }
    },
    Fault(type: .float16, error: "found float32 beside weights of float16") {
      $0.changeDense(6) { $0.bias = CoreMLWeights([0, 0, 0, 0, 0, 0]) }
    },
    Fault(type: .int8, error: "found float16 beside weights of int8") {
      $0.changeDense(5) { $0.bias?.storage = .float16([UInt8](repeating: 0, count: 12)) }
    },
    Fault(error: "layer convolution1: expected 1 groups of 2 channels, found 1 channels") {
      $0.changeConvolution { $0.kernelChannels = 2 }
    },
    Fault(error: "layer convolution1: expected 3 groups of 1 channels") {
      $0.changeConvolution { $0.groups = 3 }
    },
    Fault(error: "layer convolution1: expected 4x12 weights, found 36") {
      $0.changeConvolution { $0.window.height = 4 }
    },
    Fault(error: "layer convolution1: expected 5x9 weights, found 36") {
      $0.changeConvolution { $0.outputs = 5 }
    },
    Fault(error: "found 3x3 by steps of 0x1") { $0.changeConvolution { $0.window.down = 0 } },
    Fault(error: "layer pool1: expected a window within 12x12 values, found 13x1 by steps of 1x1") {
      $0.network.layers[3].content = .pool(
        CoreMLLayer.Pool(
          isMaximum: true, window: Inference.Operation.Window(height: 13, width: 1, down: 1, across: 1)))
    },
    Fault(error: "layer batchnorm1: expected a scale and a shift for each of 4 channels, found 4 and 3") {
      $0.network.layers[2].content = .batchNormalization(scale: [1, 1, 1, 1], shift: [0, 0, 0])
    },
    Fault(type: .float16, error: "layer bias1: expected a number for each of 4 channels, found 3") {
      $0.network.layers[1].content = .bias([1, 2, 3])
    },
    Fault(error: "layer softmax1: expected a vector, found 4x6x6") {
      $0.network.layers[8].input = $0.network.layers[3].output
    },
  ]

  static let updatingFaults: [Fault] = [
    Fault(kind: .updatable(), error: "version: expected 4 or a later one") { $0.version = 3 },
    Fault(kind: .updatable(), error: "says whether it can be updated, found a way to train it") {
      $0.isUpdatable = false
    },
    Fault(kind: .updatable(), error: "found no way to train it") { $0.network.update = nil },
    Fault(kind: .updatable(), error: "training inputs: expected the input and the label, found [\"drawing\"]")
    {
      $0.trainingInputs.removeLast()
    },
    Fault(kind: .updatable(), error: "training inputs: expected the input and the label") {
      $0.trainingInputs[1].type = .dictionary
    },
    Fault(error: "training inputs: expected none") { $0.trainingInputs = $0.inputs },
    Fault(kind: .updatable(), error: "layer dense2: expected a layer marked as its weights and bias are") {
      $0.network.layers[7].isUpdatable = false
    },
    Fault(kind: .updatable(), error: "layer dense2: expected a layer marked as its weights and bias are") {
      $0.changeDense(7) { $0.bias?.isUpdatable = false }
    },
    Fault(kind: .updatable(), error: "layer relu2: expected a layer that can be trained") {
      $0.network.layers[6].isUpdatable = true
    },
    Fault(kind: .updatable(), error: "batch size: expected a number in 1...1024, found 0") {
      $0.network.update?.batchSize.value = 0
    },
    Fault(kind: .updatable(), error: "epochs: expected a number in 1...1000") {
      $0.network.update?.epochs.value = 1001
    },
    Fault(kind: .updatable(), error: "names that no layer and no value has") {
      $0.network.update?.target = "dense1_output"
    },
    Fault(kind: .updatable(), error: "names that no layer and no value has") {
      $0.network.update?.lossName = "dense1"
    },
    Fault(kind: .updatable(), error: "the output of the softmax at the end, found \"dense2_output\"") {
      $0.network.update?.lossInput = "dense2_output"
    },
    Fault(kind: .updatable(), error: "expected a layer to be trained, found none") { file in
      for index in [5, 7] {
        file.network.layers[index].isUpdatable = false
        file.changeDense(index) { dense in
          dense.weights.isUpdatable = false
          dense.bias?.isUpdatable = false
        }
      }
    },
    Fault(kind: .updatable(), error: "behind one that is trained, found a bias") {
      $0.network.layers[6].content = .bias([0, 0, 0, 0, 0, 0])
    },
    Fault(kind: .updatable(), error: "layer relu2: expected one that lets gradients through") {
      $0.network.layers[6].content = .leakyRectifier(slope: 0.1)
    },
  ]

  static let neighborFaults: [Fault] = [
    Fault(kind: .updatableNeighbors(), error: "version: expected 4 or a later one") { $0.version = 3 },
    Fault(kind: .updatableNeighbors(), error: "version: expected 4 or a later one") {
      $0.models[1].version = 3
    },
    Fault(kind: .updatableNeighbors(), error: "output: expected a vector of 6 values") {
      $0.models[0].outputs[0].type = .vector(7)
    },
    Fault(
      kind: .updatableNeighbors(), error: "output: expected \"embedding\" of the last layer, found \"other\""
    ) {
      $0.models[0].network.layers[6].output = "other"
    },
    Fault(kind: .updatableNeighbors(), error: "pipeline: expected a model that takes [\"drawing\"]") {
      $0.inputs[0].summary = "other"
    },
    Fault(kind: .updatableNeighbors(), error: "pipeline: expected outputs [\"label\", \"labelProbs\"]") {
      $0.models.removeLast()
    },
    Fault(kind: .updatableNeighbors(), error: "neighbours: expected an input of 7 values") {
      $0.neighbors { $0.dimensions = 7 }
    },
    Fault(kind: .updatableNeighbors(), error: "samples: expected 6 values each, found [5]") {
      $0.neighbors { $0.samples = [[1, 2, 3, 4, 5]] }
    },
    Fault(kind: .updatableNeighbors(), error: "labels of samples: expected 0, found 1") {
      $0.neighbors { $0.labels = ["a"] }
    },
    Fault(kind: .updatableNeighbors(), error: "label of what is unlike any sample") {
      $0.neighbors { $0.defaultLabel = "" }
    },
    Fault(kind: .updatableNeighbors(), error: "only if its last model can") {
      $0.isUpdatable = false
      $0.trainingInputs = []
    },
  ]
}

extension CoreMLFile {
  fileprivate var network: CoreMLNetwork {
    get {
      switch content {
      case .network(let network), .classifier(let network, _): network
      case .neighbors, .pipeline: fatalError("no network")
      }
    }
    set {
      if case .network = content { content = .network(newValue) }
      if case .classifier(_, let labels) = content { content = .classifier(newValue, labels: labels) }
    }
  }

  fileprivate var labels: [String] {
    get { if case .classifier(_, let labels) = content { labels } else { [] } }
    set { content = .classifier(network, labels: newValue) }
  }

  fileprivate var models: [CoreMLFile] {
    get { if case .pipeline(let models) = content { models } else { [] } }
    set { content = .pipeline(newValue) }
  }

  fileprivate mutating func changeDense(_ index: Int, _ change: (inout CoreMLLayer.Dense) -> Void) {
    guard case .dense(var dense) = network.layers[index].content else { return }
    change(&dense)
    network.layers[index].content = .dense(dense)
  }

  fileprivate mutating func changeConvolution(_ change: (inout CoreMLLayer.Convolution) -> Void) {
    guard case .convolution(var convolution) = network.layers[0].content else { return }
    change(&convolution)
    network.layers[0].content = .convolution(convolution)
  }

  /// Changes the last model of a pipeline.
  fileprivate mutating func neighbors(_ change: (inout CoreMLNeighbors) -> Void) {
    guard case .neighbors(var neighbors) = models[1].content else { return }
    change(&neighbors)
    models[1].content = .neighbors(neighbors)
  }
}
