import Inference
import SampleNetworks
import Testing
import Training

@testable import Interchange

/// What does not fit together is no file but an error, which says in one line where, what was expected, and what to do.
struct ONNXWriterErrorTests {
  private typealias Parts = (network: LoweredNetwork, tensors: [QuantizedMatrix])

  private func parts(_ layers: String, _ type: TensorType = .float32, isWhole: Bool = false) throws -> Parts {
    let sample = SampleNetwork(layers: layers)
    let lowered = try sample.checkpoint().lowered()
    let network = isWhole ? lowered.withWholeNumbers(calibratedOn: sample.images(10)) : lowered
    return (network, network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? type : .float32) })
  }

  private func expectError(
    _ expected: String, _ parts: Parts, _ options: ONNXOptions = ONNXOptions(),
    _ notes: ModelNotes = ModelNotes()
  ) throws {
    let error = try #require(throws: InterchangeError.self) {
      try ONNXModel(parts.network, tensors: parts.tensors, options: options, notes: notes)
    }
    #expect(error.description.contains(expected), "\(error)")
    #expect(error.description.hasPrefix("ONNX: ") && error.description.contains("; "), "\(error)")
    #expect(!error.description.contains("\n"), "\(error)")
  }

  private func matrix(_ rows: Int, _ columns: Int) -> QuantizedMatrix {
    let values = [Float](repeating: 1, count: rows * columns)
    return QuantizedMatrix(
      LoweredNetwork.Matrix(rows: rows, columns: columns, values: values, isWeight: true), as: .float32)
  }

  /// Operation 1 is the convolution, with weights 0 and bias 1; the last tensors are the dense layer's.
  @Test func tensorsOfAnotherSize() throws {
    let whole = try parts("conv 3x3 4, dense 5")
    var wrong = whole
    wrong.tensors[0] = matrix(4, 8)
    try expectError("operation 1: expected weights of 4×9, found 4×8", wrong)
    wrong = whole
    wrong.tensors[1] = matrix(3, 1)
    try expectError("operation 1: expected a bias of 4×1, found 3×1", wrong)
    wrong = whole
    wrong.tensors[2] = matrix(5, 399)
    try expectError("expected weights of 5×400, found 5×399", wrong)
    wrong = whole
    wrong.tensors.removeLast()
    try expectError("expected the 4 tensors of the network as stored, found 3", wrong)
    wrong = try parts("batchnorm, dense 2")
    wrong.tensors[1] = matrix(2, 1)
    try expectError("operation 1: expected shifts of 1×1, found 2×1", wrong)
  }

  @Test func operationsThatCannotBe() throws {
    var wrong = try parts("conv 3x3 4, dense 5")
    guard case .convolution(var convolution) = wrong.network.operations[0] else {
      Issue.record("no convolution")
      return
    }
    convolution.groups = 3
    wrong.network.operations[0] = .convolution(convolution)
    try expectError("expected channels and filters in 3 equal groups, found 1 channels and 4 filters", wrong)
    convolution.groups = 1
    convolution.weights = 9
    wrong.network.operations[0] = .convolution(convolution)
    try expectError("operation 1: expected weights of 4×9, found none", wrong)
    wrong = try parts("maxpool 2, dense 5")
    wrong.network.operations[0] = .maximumPool(Operation.Window(height: 2, width: 13, down: 1, across: 1))
    try expectError(
      "operation 1: expected a window no larger than the image of 12×12, found one of 2×13", wrong)
    wrong = try parts("dense 5")
    wrong.network.operations.removeLast()
    try expectError("expected a softmax as the last operation", wrong)
  }

  @Test func classesOfAnotherNumber() throws {
    var wrong = try parts("dense 5")
    wrong.network.labels.removeLast()
    try expectError("the last layer has outputs, 5, found 4 names and 5 label values", wrong)
    wrong.network.labelValues.removeLast()
    try expectError("the last layer has outputs, 5, found 4 names and 4 label values", wrong)
    wrong = try parts("dense 5")
    wrong.network.labelValues.append(5)
    try expectError("found 5 names and 6 label values", wrong)
  }

  @Test func wholeNumbersOutOfNothing() throws {
    var wrong = try parts("conv 3x3 4, relu, dense 5", .int8, isWhole: true)
    wrong.network.operations.insert(.averagePool(.init(height: 1, width: 1, down: 1, across: 1)), at: 1)
    try expectError("to compute with, found floats", wrong)
    wrong = try parts("dense 5, relu, dense 3", .float16, isWhole: true)
    try expectError("expected weights of whole numbers, found floats", wrong)
    wrong = try parts("dense 5, relu, dense 3", .int8, isWhole: true)
    for (index, operation) in wrong.network.operations.enumerated() {
      guard case .dense(var dense) = operation, dense.activation == .rectifier else { continue }
      dense.activation = .none
      wrong.network.operations[index] = .dense(dense)
    }
    try expectError("expected a ReLU where whole numbers are handed on, found another activation", wrong)
  }

  @Test func whatTheOpsetLacks() throws {
    try expectError(
      "found int4; write opset 21, or int8 weights", try parts("dense 5", .int4), ONNXOptions(opset: .opset13)
    )
  }

  @Test func namesThatClash() throws {
    let whole = try parts("dense 5")
    try expectError("without a slash, found \"a/b\"", whole, ONNXOptions(imageName: "a/b"))
    try expectError("without a slash, found \"\"", whole, ONNXOptions(labelName: ""))
    try expectError("three names of input and outputs, found image", whole, ONNXOptions(labelName: "image"))
    try expectError(
      "found \"classNames\" twice", whole, ONNXOptions(), ModelNotes(facts: [("classNames", "")]))
    try expectError(
      "found \"x\" twice", whole, ONNXOptions(), ModelNotes(facts: [("x", "1"), ("x", "2")]))
  }
}
