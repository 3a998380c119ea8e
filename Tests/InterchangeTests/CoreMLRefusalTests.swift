import Inference
import SampleNetworks
import Tensors
import Testing
import Training

@testable import Interchange

/// What no Core ML model can be made of is refused, with the reason.
struct CoreMLRefusalTests {
  private func error(
    _ layers: String, shape: ImageShape = ImageShape(channels: 1, height: 6, width: 6),
    _ options: CoreMLOptions = CoreMLOptions(), type: TensorType = .float32,
    change: (inout LoweredNetwork) -> Void = { _ in }
  ) throws -> String {
    var network = try SampleNetwork(layers: layers, shape: shape).checkpoint().lowered()
    change(&network)
    let error = #expect(throws: InterchangeError.self) {
      try CoreMLModel(network, tensors: network.stored(type), options: options)
    }
    return error?.description ?? ""
  }

  @Test(arguments: [2, 4]) func imagesThatCannotBeHandedOver(channels: Int) throws {
    let shape = ImageShape(channels: channels, height: 4, width: 4)
    #expect(
      try error("dense 2", shape: shape).contains("expected images of 1 or 3 channels, found \(channels)"))
  }

  @Test func arithmeticWithWholeNumbers() throws {
    let sample = SampleNetwork(layers: "dense 4, relu, dense 2")
    let network = try sample.checkpoint().lowered().withWholeNumbers(calibratedOn: sample.images(5))
    let error = #expect(throws: InterchangeError.self) {
      try CoreMLModel(network, tensors: network.stored(.int8))
    }
    #expect(error?.description.contains("operation 1: expected arithmetic with floats") == true)
  }

  @Test(arguments: ["conv 1x1 2, globalavgpool", "conv 6x6 2, relu", "dense 2, leakyrelu"])
  func nothingToUpdateAtTheEnd(layers: String) throws {
    let error = try error(layers, CoreMLOptions(kind: .updatable()))
    #expect(error.contains("expected a network that ends in a dense layer"))
  }

  @Test func nothingBeforeWhichNeighborsCouldBeCompared() throws {
    let error = try error("conv 6x6 2, relu", CoreMLOptions(kind: .updatableNeighbors()))
    #expect(error.contains("expected a network with a dense layer"))
  }

  @Test(arguments: [TensorType.float16, .int8, .int4]) func updatesOfAllButFloats(type: TensorType) throws {
    let error = try error("dense 2", CoreMLOptions(kind: .updatable()), type: type)
    #expect(error.contains("expected float32 weights, which can be updated, found \(type)"))
  }

  @Test(arguments: [
    (CoreMLOptions.Optimizer.sgd(learningRate: 2), "learning rate"), (.sgd(momentum: -1), "momentum"),
    (.adam(learningRate: 2), "learning rate"), (.adam(beta1: 2), "beta1"), (.adam(beta2: .nan), "beta2"),
    (.adam(epsilon: 2), "epsilon"),
  ])
  func settingsOutsideOfTheirRange(optimizer: CoreMLOptions.Optimizer, name: String) throws {
    let options = CoreMLOptions(kind: .updatable(CoreMLOptions.Update(optimizer: optimizer)))
    #expect(try error("dense 2", options).contains("\(name): expected a number in 0.0...1.0"))
  }

  @Test(arguments: [0, 101]) func tooFewOrTooManyNeighbors(count: Int) throws {
    let error = try error("dense 2", CoreMLOptions(kind: .updatableNeighbors(count: count)))
    #expect(error.contains("neighbours: expected a number in 1...100, found \(count)"))
  }

  @Test func namesThatClash() throws {
    let names = CoreMLOptions.Names(input: "image", label: "image", probabilities: "chances")
    #expect(try error("dense 2", CoreMLOptions(names: names)).contains("choose other names"))
    // A value within the network is called so.
    let inner = CoreMLOptions.Names(input: "image", label: "label", probabilities: "dense1_output")
    #expect(try error("dense 2", CoreMLOptions(names: inner)).contains("choose other names"))
  }

  @Test func classesThatShareAName() throws {
    #expect(try error("dense 2") { $0.labels[1] = $0.labels[0] }.contains("name each class in its own way"))
  }

  @Test func tensorsOfAnotherNetwork() throws {
    let network = try SampleNetwork(layers: "dense 2").checkpoint().lowered()
    #expect(throws: InterchangeError.self) {
      try CoreMLModel(network, tensors: Array(network.stored(.float32).dropLast()))
    }
  }
}
