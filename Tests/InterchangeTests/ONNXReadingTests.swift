import Datasets
import HostInference
import Inference
import SampleNetworks
import Testing
import Training

@testable import Interchange

/// What was written is read back. What others write is tried by `make test-interchange`.
struct ONNXReadingTests {
  typealias Export = ONNXWriterTests.Export

  /// Bit for bit, except where a normalisation of the pixels becomes a part of their scaling: then its factors are
  /// multiplied in another order.
  @Test(arguments: SampleNetwork.all, Export.all)
  func whatWasWrittenComputesTheSame(sample: SampleNetwork, export: Export) throws {
    let (network, tensors) = try export.parts(sample)
    let source = try Network(copying: InkWriter(network, tensors: tensors).bytes)
    let images = sample.images(4)
    for opset in ONNXOptions.Opset.allCases where opset == .opset21 || export.weights != .int4 {
      for input in ONNXOptions.Input.allCases {
        let options = ONNXOptions(input: input, opset: opset)
        let model = try ONNXModel(network, tensors: tensors, options: options)
        let read = try ONNXNetwork(bytes: model.bytes, name: "x")
        #expect(read.pixelScale == 1, "\(input)")
        let found = try Network(copying: read.inkAsWritten)
        for image in 0..<images.count {
          let pixels = Array(images.images(at: [image]).pixels)
          let (expected, answer) = (try source.predict(pixels), try found.predict(pixels))
          if sample.layers.hasPrefix("batchnorm") {
            let off = zip(answer.probabilities, expected.probabilities).map { abs($0 - $1) }.max()
            #expect(off ?? 1 <= 1e-5, "\(options)")
          } else {
            #expect(answer.probabilities == expected.probabilities, "\(options)")
          }
        }
      }
    }
  }

  @Test func whatItSaysOfItselfComesBack() throws {
    var (network, tensors) = try Export(weights: .float32).parts(SampleNetwork(layers: "dense 3"))
    (network.labels, network.labelValues) = (["\"é\"", "b/c", "d"], [-1, 7, 40])
    (network.refusalThreshold, network.takesNormalizedInk) = (0.25, true)
    let read = try ONNXNetwork(bytes: ONNXModel(network, tensors: tensors).bytes, name: "x").network
    #expect(read.labels == network.labels && read.labelValues == network.labelValues)
    #expect(read.refusalThreshold == 0.25 && read.takesNormalizedInk)
    #expect(read.input.scale == network.input.scale && read.input.extent == network.input.extent)
  }

  /// Numbers that no `.ink` file has are left out.
  @Test(arguments: [
    ["labelValues": "[1,2,9999999999]"], ["labelValues": "[3,2,1]"], ["labelValues": "[1,2]"],
    ["labelValues": "["], ["classNames": #"["a","","c"]"#], ["refusalThreshold": "nan"],
    ["refusalThreshold": "2"], ["refusalThreshold": "-1"],
  ])
  func badMetadataIsIgnored(metadata: [String: String]) throws {
    var sketch = ONNXSketch.sample
    sketch.metadata = metadata
    let network = try ONNXNetwork(bytes: sketch.bytes, name: "x").network
    #expect(network.labels == ["0", "1", "2"] && network.labelValues == [0, 1, 2])
    #expect(network.refusalThreshold == 0)
  }

  /// How many values a pool leaves of 4×4, for which the dense layer behind it has weights.
  @Test func windowsOfPools() throws {
    func read(_ count: Int, _ build: (inout ONNXSketch) -> Void) throws {
      var sketch = ONNXSketch(shape: [nil, 1, 4, 4])
      sketch.add("Relu")
      build(&sketch)
      sketch.add("Flatten")
      sketch.add("MatMul", sketch.floats([Float](repeating: 1, count: 2 * count), [count, 2]))
      _ = try ONNXNetwork(bytes: sketch.bytes, name: "x")
    }
    // Zeros that stand in front of the pool are a part of its image: 5×5, of which the last ones get a window too.
    try read(9) {
      $0.add("Pad", $0.integers([0, 0, 0, 0, 0, 0, 1, 1]))
      $0.add(
        "MaxPool",
        attributes: [
          "kernel_shape": .integers([2, 2]), "strides": .integers([2, 2]), "ceil_mode": .integer(1),
        ])
    }
    // VALID has such windows too.
    try read(4) {
      $0.add(
        "MaxPool",
        attributes: [
          "kernel_shape": .integers([3, 3]), "strides": .integers([2, 2]), "ceil_mode": .integer(1),
          "auto_pad": .text("VALID"),
        ])
    }
  }

  /// Without a number for 0 an attribute says which bytes values are rounded to: signed ones cut off nothing below 0.
  @Test func quantisesToTheTypeOfTheAttribute() throws {
    func rectifies(_ attributes: [String: ONNXSketch.Attribute]) throws -> Bool {
      var sketch = ONNXSketch(opset: 21)
      sketch.add("Sub", sketch.floats([0.5], []))
      let scale = sketch.floats([0.01], [])
      sketch.add("QuantizeLinear", scale, attributes: attributes)
      sketch.add("DequantizeLinear", scale)
      sketch.add("Flatten")
      sketch.add("MatMul", sketch.floats([1, 2, 3, 4, 5, 6, 7, 8], [4, 2]))
      return try ONNXNetwork(bytes: sketch.bytes, name: "x").network.operations.contains(
        .activation(.rectifier))
    }
    #expect(try rectifies([:]) && rectifies(["output_dtype": .integer(2)]))
    #expect(try !rectifies(["output_dtype": .integer(3)]))
  }

  /// Before opset 7 an attribute says which axis an operand begins at: of 2×2×2 any would do.
  @Test(arguments: [1, -3]) func operandsOfOldOpsetsSayTheirAxis(axis: Int) throws {
    func file(opset: Int, _ shape: [Int], _ attributes: [String: ONNXSketch.Attribute]) throws -> [UInt8] {
      var sketch = ONNXSketch(opset: opset, shape: [nil, 2, 2, 2])
      sketch.add("Conv", sketch.floats([1, 2, 3, 4], [2, 2, 1, 1]))
      sketch.add("Add", sketch.floats([5, -6], shape), attributes: attributes)
      sketch.add("Relu")
      sketch.add("Flatten")
      sketch.add("Gemm", sketch.floats((0..<16).map(Float.init), [8, 2]), sketch.floats([1, 2], [2]))
      return try ONNXNetwork(bytes: sketch.bytes, name: "x").inkAsWritten
    }
    let old = try file(opset: 6, [2], ["broadcast": .integer(1), "axis": .integer(axis)])
    #expect(try old == file(opset: 7, [2, 1, 1], [:]))
    #expect(throws: InterchangeError.self) { try file(opset: 7, [2], [:]) }
  }

  /// Bytes between layers are left out, and it is said.
  @Test func saysThatItRoundsNothing() throws {
    func rounds(_ isRounded: Bool) throws -> Bool {
      var sketch = ONNXSketch()
      sketch.add("Relu")
      if isRounded {
        let scale = sketch.floats([0.01], [])
        sketch.add("QuantizeLinear", scale)
        sketch.add("DequantizeLinear", scale)
      }
      sketch.add("Flatten")
      sketch.add("MatMul", sketch.floats([1, 2, 3, 4, 5, 6, 7, 8], [4, 2]))
      return try ONNXNetwork(bytes: sketch.bytes, name: "x").roundsValues
    }
    #expect(try rounds(true) && !rounds(false))
  }

  /// What pixels are multiplied by, unless it is said: nothing where the file takes bytes or makes them small itself.
  @Test func theScaleOfPixels() throws {
    func scale(_ element: Int = 1, given: Float? = nil, _ build: (inout ONNXSketch) -> Void) throws -> Float {
      var sketch = ONNXSketch(element: element)
      build(&sketch)
      sketch.add("Flatten")
      let weights = sketch.floats([1, 2, 3, 4, 5, 6, 7, 8], [4, 2])
      sketch.add("MatMul", weights)
      return try ONNXNetwork(bytes: sketch.bytes, name: "x", pixelScale: given).pixelScale
    }
    #expect(try scale { _ in } == 1 / 255)
    #expect(try scale(given: 0.5) { _ in } == 0.5)
    #expect(try scale { $0.add("Div", $0.floats([255], [])) } == 1)
    #expect(try scale { $0.add("Mul", $0.floats([2], [])) } == 1 / 255)
    #expect(try scale(2) { $0.add("Cast", attributes: ["to": .integer(1)]) } == 1)
    #expect(try scale(6) { $0.add("Cast", attributes: ["to": .integer(1)]) } == 1)
    #expect(throws: InterchangeError.self) { try scale(2, given: 0.5) { _ in } }
    #expect(throws: InterchangeError.self) { try scale(given: .infinity) { _ in } }
    #expect(throws: InterchangeError.self) { try scale(8) { _ in } }
  }
}
