import Inference
import Testing
import Wire

@testable import Interchange

/// Any bytes give a network or an error: no trap, and no more memory or time than in proportion to the file.
struct ONNXReadingHostileTests {
  /// Reads a file and writes what it is; nil for an error.
  @discardableResult
  private func read(_ bytes: [UInt8]) -> LoweredFile? {
    guard let network = try? ONNXNetwork(bytes: bytes, name: "x") else { return nil }
    return LoweredFile(network)
  }

  private struct LoweredFile {
    /// Whether the runtime takes it.
    let runs: Bool

    init(_ network: ONNXNetwork) { runs = (try? Network(copying: network.inkAsWritten)) != nil }
  }

  /// What an error says of a file; nil where there is none.
  private func error(_ sketch: ONNXSketch) -> String? { error(sketch.bytes) }

  private func error(_ bytes: [UInt8]) -> String? {
    do throws(InterchangeError) {
      _ = try ONNXNetwork(bytes: bytes, name: "x")
      return nil
    } catch {
      return error.description
    }
  }

  private let sample = ONNXSketch.sample.bytes

  @Test func theSampleIsRead() throws {
    #expect(try #require(read(sample)).runs)
  }

  @Test func everyPrefix() {
    for count in 0..<sample.count { read(Array(sample[..<count])) }
    #expect(error([])?.contains("an empty file") == true)
  }

  @Test(arguments: [0, 1, 0x7F, 0x80, 0xFF] as [UInt8])
  func everyByteChanged(to value: UInt8) {
    var changed = sample
    for index in sample.indices {
      changed[index] = value
      read(changed)
      changed[index] = sample[index]
    }
  }

  @Test func everyBitTurned() {
    var changed = sample
    for index in sample.indices {
      for bit in 0..<8 {
        changed[index] ^= 1 << bit
        read(changed)
        changed[index] = sample[index]
      }
    }
  }

  /// A number in the place of each byte that may be one: the largest and the smallest.
  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
    ] as [[UInt8]])
  func everyByteALongNumber(number: [UInt8]) {
    for index in sample.indices { read(sample[..<index] + number + sample[(index + 1)...]) }
  }

  /// Every number of the graph replaced, so that the messages around it stay whole.
  @Test(arguments: [Int.max, Int.min, -1, 0, 1 << 31, 1 << 62, 255, 65_536])
  func everyNumberOfTheGraph(number: Int) {
    let sketch = ONNXSketch.sample
    for (index, node) in sketch.nodes.enumerated() {
      for (name, attribute) in node.attributes {
        var values: [Int] = []
        if case .integers(let given) = attribute { values = given }
        if case .integer(let given) = attribute { values = [given] }
        for place in values.indices {
          var changed = sketch
          values[place] = number
          changed.nodes[index].attributes[name] = values.count == 1 ? .integer(number) : .integers(values)
          read(changed.bytes)
        }
      }
      for name in [
        "axis", "axes", "group", "kernel_shape", "strides", "pads", "perm", "start", "end", "to",
        "block_size",
      ] {
        var changed = sketch
        changed.nodes[index].attributes[name] = .integer(number)
        read(changed.bytes)
        changed.nodes[index].attributes[name] = .integers([number, number, number, number])
        read(changed.bytes)
      }
    }
    for (name, tensor) in sketch.tensors {
      var changed = sketch
      for place in tensor.shape.indices {
        changed.tensors[name]?.shape[place] = number
        read(changed.bytes)
        changed.tensors[name]?.shape[place] = tensor.shape[place]
      }
      for element in 0...24 {
        changed.tensors[name]?.element = element
        read(changed.bytes)
      }
      guard tensor.element == 7 else { continue }
      changed.tensors[name] = tensor
      for place in 0..<tensor.bytes.count / 8 {
        changed.tensors[name]?.bytes.replaceSubrange(
          8 * place..<8 * place + 8, with: ONNXSketch.bytes([Int64(number)]))
        read(changed.bytes)
      }
    }
    for place in sketch.shape.indices {
      var changed = sketch
      changed.shape[place] = number
      read(changed.bytes)
    }
    for opset in [number, 7, 11] {
      var changed = sketch
      changed.opset = opset
      read(changed.bytes)
    }
  }

  /// Every operator with none, one or two of the sample's inputs, in each place of the chain.
  @Test func everyOperatorAnywhere() {
    let kinds = [
      "Conv", "Gemm", "MatMul", "MaxPool", "AveragePool", "GlobalAveragePool", "ReduceMean", "Pad", "Relu",
      "LeakyRelu",
      "Add", "Sub", "Mul", "Div", "BatchNormalization", "Softmax", "LogSoftmax", "QuantizeLinear",
      "DequantizeLinear",
      "Identity", "Dropout", "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "ArgMax",
      "Shape", "Gather",
      "Slice", "Concat", "ConstantOfShape", "Neg", "Sqrt", "Reciprocal", "Constant", "Sigmoid", "",
    ]
    let sketch = ONNXSketch.sample
    for index in sketch.nodes.indices {
      for kind in kinds {
        var changed = sketch
        changed.nodes[index].kind = kind
        read(changed.bytes)
        for count in 0...2 {
          changed.nodes[index].inputs = Array(sketch.nodes[index].inputs.prefix(count))
          read(changed.bytes)
        }
        changed.nodes[index].inputs = [String](repeating: sketch.nodes[index].inputs.last ?? "", count: 5)
        read(changed.bytes)
        changed.nodes[index].inputs = ["", "", ""]
        read(changed.bytes)
      }
    }
  }

  // MARK: Memory and time

  @Test func aFileOfTooManyNodes() {
    var sketch = ONNXSketch()
    for _ in 0..<10_001 { sketch.add("Identity") }
    #expect(error(sketch)?.contains("fewer than 10,000 nodes") == true)
  }

  /// A million slices along an axis of a million.
  @Test func aGatherThatWouldFillTheMemory() {
    var sketch = ONNXSketch()
    let data = sketch.add(
      .init(shape: [100_000, 1], element: 3, bytes: [UInt8](repeating: 0, count: 100_000)))
    let indices = sketch.add(
      .init(shape: [100_000], element: 3, bytes: [UInt8](repeating: 0, count: 100_000)))
    let large = sketch.node("Gather", [data, indices], attributes: ["axis": .integer(1)])
    sketch.add("Add", large)
    #expect(error(sketch)?.contains("(Gather)") == true)
  }

  @Test func aSumThatWouldFillTheMemory() {
    var sketch = ONNXSketch()
    let bytes = [UInt8](repeating: 0, count: 30_000)
    let row = sketch.add(.init(shape: [1, 30_000], element: 3, bytes: bytes))
    let column = sketch.add(.init(shape: [30_000, 1], element: 3, bytes: bytes))
    sketch.add("Add", sketch.node("Add", [row, column]))
    #expect(error(sketch)?.contains("numbers in proportion to the file") == true)
  }

  @Test func aListPutTogetherOfItself() {
    var sketch = ONNXSketch()
    var list = sketch.add(.init(shape: [10_000], element: 3, bytes: [UInt8](repeating: 0, count: 10_000)))
    for _ in 0..<20 { list = sketch.node("Concat", [String](repeating: list, count: 90)) }
    sketch.add("Add", list)
    #expect(error(sketch)?.contains("numbers in proportion to the file") == true)
  }

  @Test func aShapeOfOnesFilledAgainAndAgain() {
    var sketch = ONNXSketch()
    let made = sketch.node("ConstantOfShape", [sketch.integers([1 << 15, 1 << 15])])
    sketch.add("Add", made)
    #expect(error(sketch)?.contains("numbers in proportion to the file") == true)
  }

  /// The same weights in thousands of layers: each layer would have a copy.
  @Test func sharedWeights() {
    var sketch = ONNXSketch(shape: [nil, 1, 1, 64])
    sketch.add("Flatten")
    let weights = sketch.add(.init(shape: [64, 64], element: 3, bytes: [UInt8](repeating: 0, count: 4096)))
    for _ in 0..<9_000 { sketch.add("MatMul", weights) }
    #expect(error(sketch)?.contains("numbers in proportion to the file") == true)
  }

  /// A factor for each of many channels, again and again, and factors folded into many weights.
  @Test(arguments: ["Relu", "Identity"])
  func sharedFactors(between: String) {
    var sketch = ONNXSketch(shape: [nil, 1, 1, 1])
    let weights = sketch.add(
      .init(shape: [60_000, 1, 1, 1], element: 3, bytes: [UInt8](repeating: 1, count: 60_000)))
    sketch.add("Conv", weights)
    let two = sketch.floats([2], [])
    for _ in 0..<4_000 {
      sketch.add("Mul", two)
      sketch.add(between)
    }
    #expect(error(sketch)?.contains("numbers in proportion to the file") == true)
  }

  /// Padding that stands by itself is a layer with a weight for each channel.
  @Test func sharedPadding() {
    var sketch = ONNXSketch(shape: [nil, 1, 1, 1])
    let weights = sketch.add(
      .init(shape: [60_000, 1, 1, 1], element: 3, bytes: [UInt8](repeating: 1, count: 60_000)))
    sketch.add("Conv", weights)
    let pads = sketch.integers([0, 0, 1, 0, 0, 0, 0, 0])
    for _ in 0..<4_000 {
      sketch.add("Pad", pads)
      sketch.add("MaxPool", attributes: ["kernel_shape": .integers([2, 1])])
    }
    #expect(error(sketch)?.contains("numbers in proportion to the file") == true)
  }

  /// Without numbers nothing is to be done, whatever the other extents.
  @Test func extentsOfNothing() {
    for shape in [[1 << 30, 0], [0, 1 << 30], [1 << 29, 0, 1]] {
      var sketch = ONNXSketch()
      let none = sketch.add(.init(shape: shape, element: 3, bytes: []))
      let index = sketch.integers([], shape: [0])
      let rank = shape.count
      for axis in 0..<rank {
        let part = sketch.node("Gather", [none, index], attributes: ["axis": .integer(axis)])
        sketch.add("Add", sketch.node("Transpose", [sketch.node("Add", [part, part])]))
      }
      #expect(error(sketch) != nil)
    }
  }

  @Test func aShapeOfManyAxes() {
    var sketch = ONNXSketch()
    var tensor = sketch.floats([1], [1])
    for _ in 0..<9 {
      tensor = sketch.node("Unsqueeze", [tensor], attributes: ["axes": .integers([0, 1])])
    }
    sketch.add("Mul", tensor)
    #expect(error(sketch)?.contains("(Unsqueeze)") == true)
    var long = ONNXSketch()
    long.add("Mul", long.floats([1], [Int](repeating: 1, count: 100_000)))
    #expect(error(long)?.contains("at most 16 axes") == true)
  }

  /// A long list is read once, not for each node that takes it for a shape.
  @Test func aLongListAsAShape() {
    var sketch = ONNXSketch()
    let list = sketch.add(.init(shape: [100_000], element: 3, bytes: [UInt8](repeating: 1, count: 100_000)))
    sketch.add("Reshape", list)
    #expect(error(sketch)?.contains("a few whole numbers") == true)
  }

  /// Names and texts of any length and content make one line of an error, and a short one.
  @Test func longAndTwistedNames() {
    let name = String(repeating: "\n\u{1B}[31mx", count: 10_000)
    for change in 0..<5 {
      var sketch = ONNXSketch(shape: [nil, 1, 2, 2])
      switch change {
      case 0: sketch.add(name)
      case 1: sketch.add("Relu", domain: name)
      case 2: sketch.add("Add", name)
      case 3:
        sketch.add("MaxPool", attributes: ["auto_pad": .text(name), "kernel_shape": .integers([1, 1])])
      default: sketch.outputs = [(name, 1)]
      }
      let text = error(sketch) ?? ""
      #expect(!text.isEmpty && text.count < 400, "\(change)")
      #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" }, "\(change)")
    }
    var sketch = ONNXSketch()
    let many = [Int](repeating: 7, count: 10_000)
    for attributes: [String: ONNXSketch.Attribute] in [
      ["kernel_shape": .integers(many)], ["kernel_shape": .integers([1, 1]), "dilations": .integers(many)],
      ["kernel_shape": .integers([1, 1]), "pads": .integers(many)],
    ] {
      sketch.nodes = []
      sketch.add("MaxPool", attributes: attributes)
      #expect((error(sketch) ?? "").count < 400)
    }
  }
}
