import Datasets
import Inference
import SampleNetworks
import Tensors
import Testing
import Training

@testable import Interchange

/// What stands in an ONNX file. That ONNX Runtime computes with it what the runtime computes is tried by
/// `make test-interchange`.
struct ONNXWriterTests {
  /// A network as it is exported.
  struct Export: CustomTestStringConvertible, Sendable {
    var weights: TensorType
    var isWhole = false

    var testDescription: String { isWhole ? "\(weights), whole numbers" : "\(weights)" }

    static let all =
      TensorType.allCases.map { Export(weights: $0) }
      + [Export(weights: .int8, isWhole: true), Export(weights: .int4, isWhole: true)]

    func parts(_ sample: SampleNetwork) throws -> (LoweredNetwork, [QuantizedMatrix]) {
      let lowered = try sample.checkpoint().lowered()
      let network = isWhole ? lowered.withWholeNumbers(calibratedOn: sample.images(10)) : lowered
      return (network, network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? weights : .float32) })
    }
  }

  private func graph(
    _ layers: String, _ export: Export = Export(weights: .float32), options: ONNXOptions = ONNXOptions()
  ) throws -> ONNXGraphReader {
    let (network, tensors) = try export.parts(SampleNetwork(layers: layers))
    return try ONNXGraphReader(ONNXModel(network, tensors: tensors, options: options).bytes)
  }

  /// Every value is made before it is used, and once; every number is used, and of the size that its shape says.
  @Test(arguments: SampleNetwork.all, Export.all)
  func everyGraphIsWhole(sample: SampleNetwork, export: Export) throws {
    let (network, tensors) = try export.parts(sample)
    for input in ONNXOptions.Input.allCases {
      let bytes = try ONNXModel(network, tensors: tensors, options: ONNXOptions(input: input)).bytes
      let file = try ONNXGraphReader(bytes)
      var known = Set(file.tensors.keys).union(["image"])
      for node in file.nodes {
        #expect(Set(node.inputs).isSubset(of: known), "\(node)")
        #expect(node.outputs.count == 1 && known.isDisjoint(with: node.outputs), "\(node)")
        known.formUnion(node.outputs)
      }
      #expect(known.isSuperset(of: ["probabilities", "label"]))
      #expect(Set(file.nodes.flatMap(\.inputs)).isSuperset(of: file.tensors.keys))
      let bits = [1: 32, 2: 8, 3: 8, 7: 64, 10: 16, 22: 4]
      for (name, tensor) in file.tensors {
        let count = tensor.shape.reduce(1, *) * (bits[tensor.element] ?? 0)
        #expect(tensor.bytes.count == (count + 7) / 8, "\(name)")
      }
      let (shape, classes) = (sample.shape, network.labels.count)
      #expect(
        file.inputs == [
          .init(
            name: "image", element: input == .uint8 ? 2 : 1,
            shape: ["N", "\(shape.channels)", "\(shape.height)", "\(shape.width)"])
        ])
      #expect(
        file.outputs == [
          .init(name: "probabilities", element: 1, shape: ["N", "\(classes)"]),
          .init(name: "label", element: 7, shape: ["N"]),
        ])
      #expect(bytes.count <= 105 * tensors.reduce(0) { $0 + $1.byteCount } / 100 + 4096)
    }
  }

  @Test func eachOperationIsItsOperator() throws {
    let file = try graph(
      "batchnorm, conv 3x5 7 stride 2 same, leakyrelu 0.25, avgpool 2, batchnorm, maxpool 1, flatten, dense 4, relu"
    )
    try #require(
      file.nodes.map(\.kind) == [
        "Cast", "Mul", "Mul", "Add", "Conv", "LeakyRelu", "AveragePool", "Mul", "Add", "MaxPool", "Flatten",
        "Gemm", "Relu", "Softmax", "ArgMax",
      ])
    let convolution = file.nodes[4]
    // 12 rows and columns: 6 windows of 3 with a step of 2 take 13, of 5 take 15.
    #expect(
      convolution.integers == [
        "kernel_shape": [3, 5], "strides": [2, 2], "pads": [0, 1, 1, 2], "group": [1],
      ])
    #expect(file.tensors[convolution.inputs[1]]?.shape == [7, 1, 3, 5])
    #expect(file.tensors[convolution.inputs[2]]?.shape == [7])
    #expect(file.nodes[5].floats == ["alpha": 0.25])
    #expect(file.nodes[6].integers == ["kernel_shape": [2, 2], "strides": [2, 2]])
    #expect(file.tensors[file.nodes[7].inputs[1]]?.shape == [7, 1, 1])
    #expect(file.nodes[11].integers == ["transB": [1]])
    #expect(file.tensors[file.nodes[11].inputs[1]]?.shape == [4, 63])
    #expect(file.nodes[13].integers == ["axis": [1]])
    #expect(file.nodes[14].integers == ["axis": [1], "keepdims": [0]])
    let scale = try #require(file.tensors["image/scale"])
    #expect(scale == .init(element: 1, shape: [], bytes: [0x81, 0x80, 0x80, 0x3B]))  // 1/255
  }

  @Test func floatsNeedNoCast() throws {
    let file = try graph("dense 3", options: ONNXOptions(input: .float))
    #expect(file.nodes.map(\.kind) == ["Mul", "Flatten", "Gemm", "Softmax", "ArgMax"])
  }

  @Test func groupsAndGlobalMeans() throws {
    let file = try graph("conv 1x1 4, depthwise 3x3, globalavgpool, dense 2")
    try #require(
      file.nodes.map(\.kind) == [
        "Cast", "Mul", "Conv", "Conv", "GlobalAveragePool", "Flatten", "Gemm", "Softmax", "ArgMax",
      ])
    #expect(file.nodes[3].integers["group"] == [4])
    #expect(file.tensors[file.nodes[3].inputs[1]]?.shape == [4, 1, 3, 3])
  }

  @Test(arguments: [
    (TensorType.float16, "Cast", 10), (.int8, "DequantizeLinear", 3), (.int4, "DequantizeLinear", 22),
  ])
  func storedWeightsBecomeFloats(weights: TensorType, kind: String, element: Int) throws {
    let (network, tensors) = try Export(weights: weights).parts(SampleNetwork(layers: "conv 3x3 5, dense 3"))
    let file = try ONNXGraphReader(ONNXModel(network, tensors: tensors).bytes)
    for (number, shape) in [(1, [5, 1, 3, 3]), (3, [3, 500])] {
      // The flatten before the dense layer belongs to it, or is an operation of its own.
      let name = file.tensors["layer\(number)/weights"] == nil ? "layer2" : "layer\(number)"
      let stored = try #require(file.tensors["\(name)/weights"])
      #expect(stored.element == element && stored.shape == shape)
      let node = try #require(file.nodes.first { $0.inputs.first == "\(name)/weights" })
      #expect(node.kind == kind)
      if kind == "Cast" {
        #expect(node.integers == ["to": [1]])
      } else {
        #expect(node.integers == ["axis": [0]])
        #expect(file.tensors[node.inputs[1]]?.shape == [shape[0]])
      }
    }
    // 45 numbers of 4 bits: two in a byte, the first in the low half.
    if weights == .int4 {
      let (bytes, numbers) = (try #require(file.tensors["layer1/weights"]).bytes, tensors[0].numbers)
      #expect(bytes.count == 23)
      let found = bytes.flatMap { [Int8(bitPattern: $0 << 4) >> 4, Int8(bitPattern: $0) >> 4] }
      #expect(Array(found.prefix(45)) == numbers && found[45] == 0)
    }
  }

  @Test func wholeNumbersAreQuantisedAndDequantised() throws {
    let layers = "maxpool 1, conv 3x3 4, relu, maxpool 2, dense 6, relu, dense 3"
    let export = Export(weights: .int8, isWhole: true)
    let file = try graph(layers, export)
    try #require(
      file.nodes.map(\.kind) == [
        "DequantizeLinear", "MaxPool", "QuantizeLinear", "DequantizeLinear",
        "DequantizeLinear", "Conv", "Relu", "QuantizeLinear", "DequantizeLinear",
        "MaxPool", "QuantizeLinear", "DequantizeLinear",
        "Flatten", "DequantizeLinear", "Gemm", "Relu", "QuantizeLinear", "DequantizeLinear",
        "DequantizeLinear", "Gemm", "Softmax", "ArgMax",
      ])
    let (network, _) = try export.parts(SampleNetwork(layers: layers))
    guard case .convolution(let convolution) = network.operations[1] else {
      Issue.record("no convolution")
      return
    }
    let scale = try #require(convolution.integers?.output)
    let quantized = file.nodes[7]
    #expect(
      file.tensors[quantized.inputs[1]]
        == .init(
          element: 1, shape: [],
          bytes: (0..<4).map { UInt8(truncatingIfNeeded: scale.bitPattern >> (8 * UInt32($0))) }))
    // Signed, so that 127 is the largest; pixels are not.
    #expect(file.tensors[quantized.inputs[2]] == .init(element: 3, shape: [], bytes: [0]))
    #expect(file.tensors[file.nodes[0].inputs[2]] == .init(element: 2, shape: [], bytes: [0]))
    #expect(file.nodes[8].inputs.dropFirst() == quantized.inputs.dropFirst())
    #expect(file.nodes[10].inputs.dropFirst() == quantized.inputs.dropFirst())
    // Floats become pixels first.
    let float = try graph(layers, export, options: ONNXOptions(input: .float))
    #expect(float.nodes.first?.kind == "QuantizeLinear" && float.nodes.count == file.nodes.count + 1)
  }

  @Test func saysWhatItIs() throws {
    var (network, tensors) = try Export(weights: .float32).parts(SampleNetwork(layers: "dense 3"))
    network.labels = ["\"é\"", "b/c", "\n"]
    network.labelValues = [7, 1, 40]
    network.refusalThreshold = 0.25
    network.takesNormalizedInk = true
    let notes = ModelNotes(
      author: "A", license: "MIT", summary: "Three things.", facts: [("accuracy", "0.5")])
    let options = ONNXOptions(
      opset: .opset13, imageName: "drawing", probabilitiesName: "p", labelName: "class")
    let file = try ONNXGraphReader(ONNXModel(network, tensors: tensors, options: options, notes: notes).bytes)
    #expect(
      file.metadata == [
        "author": "A", "license": "MIT", "classNames": #"["\"é\"","b/c","\n"]"#, "labelValues": "[7,1,40]",
        "refusalThreshold": "0.25", "takesNormalizedInk": "true", "accuracy": "0.5",
      ])
    #expect(file.documentation == "Three things.")
    #expect(file.opset == 13 && file.irVersion == 7)
    #expect(file.inputs.map(\.name) == ["drawing"] && file.outputs.map(\.name) == ["p", "class"])
    // The values are not the indices, so that they are looked up.
    #expect(file.nodes.suffix(2).map(\.kind) == ["ArgMax", "Gather"])
    #expect(file.tensors["label/values"]?.bytes == [7, 1, 40].flatMap { [$0, 0, 0, 0, 0, 0, 0, 0] })
    let usual = try ONNXGraphReader(ONNXModel(network, tensors: tensors).bytes)
    #expect(usual.opset == 21 && usual.irVersion == 10)
  }
}
