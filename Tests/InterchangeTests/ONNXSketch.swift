import Wire

@testable import Interchange

/// A small ONNX file by hand: nodes with the tensors that they use, for the tests of reading.
struct ONNXSketch {
  struct Tensor {
    var shape: [Int]
    var element = 1
    var bytes: [UInt8]
  }

  enum Attribute {
    case float(Float)
    case integer(Int)
    case integers([Int])
    case text(String)
    case tensor(Tensor)
  }

  struct Node {
    var kind: String
    var inputs: [String]
    var output: String
    var attributes: [String: Attribute]
    var domain: String
  }

  var opset = 13
  var element = 1
  /// Nil is any number.
  var shape: [Int?] = [nil, 1, 2, 2]
  var nodes: [Node] = []
  var tensors: [String: Tensor] = [:]
  var outputs: [(name: String, element: Int)] = []
  var metadata: [String: String] = [:]
  /// The name of what the last node gives.
  private(set) var current = "image"

  init(opset: Int = 13, shape: [Int?] = [nil, 1, 2, 2], element: Int = 1) {
    (self.opset, self.shape, self.element) = (opset, shape, element)
  }

  /// Adds a node that takes what the last one gave, and tensors or values by name.
  mutating func add(
    _ kind: String, _ others: String..., attributes: [String: Attribute] = [:], domain: String = ""
  ) {
    current = node(kind, [current] + others, attributes: attributes, domain: domain)
  }

  /// Adds a node with these inputs; gives the name of its output.
  @discardableResult
  mutating func node(
    _ kind: String, _ inputs: [String], attributes: [String: Attribute] = [:], domain: String = "",
    isNext: Bool = false
  ) -> String {
    let output = "v\(nodes.count)"
    nodes.append(Node(kind: kind, inputs: inputs, output: output, attributes: attributes, domain: domain))
    if isNext { current = output }
    return output
  }

  mutating func floats(_ values: [Float], _ shape: [Int]) -> String {
    add(Tensor(shape: shape, bytes: Self.bytes(values.map(\.bitPattern))))
  }

  mutating func integers(_ values: [Int], shape: [Int]? = nil) -> String {
    add(Tensor(shape: shape ?? [values.count], element: 7, bytes: Self.bytes(values.map { Int64($0) })))
  }

  mutating func add(_ tensor: Tensor) -> String {
    let name = "t\(tensors.count)"
    tensors[name] = tensor
    return name
  }

  static func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
  }

  /// The file.
  var bytes: [UInt8] {
    var file = ProtobufWriter()
    file.integer(8, field: 1)
    file.message(field: 7) { graph in
      for node in nodes { graph.message(field: 1) { Self.write(node, to: &$0) } }
      for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
        graph.message(field: 5) { Self.write(tensor, name, to: &$0) }
      }
      graph.message(field: 11) { Self.write("image", element, shape, to: &$0) }
      for output in outputs.isEmpty ? [(current, 1)] : outputs {
        graph.message(field: 12) { Self.write(output.0, output.1, [nil], to: &$0) }
      }
    }
    file.message(field: 8) { $0.integer(opset, field: 2) }
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      file.message(field: 14) {
        $0.string(key, field: 1)
        $0.string(value, field: 2)
      }
    }
    return file.bytes
  }

  private static func write(_ node: Node, to writer: inout ProtobufWriter) {
    for input in node.inputs { writer.string(input, field: 1) }
    writer.string(node.output, field: 2)
    writer.string("node of \(node.output)", field: 3)
    writer.string(node.kind, field: 4)
    for (name, attribute) in node.attributes.sorted(by: { $0.key < $1.key }) {
      writer.message(field: 5) { writer in
        writer.string(name, field: 1)
        switch attribute {
        case .float(let value): writer.float(value, field: 2)
        case .integer(let value): writer.integer(value, field: 3)
        case .text(let value): writer.string(value, field: 4)
        case .tensor(let value): writer.message(field: 5) { write(value, "", to: &$0) }
        case .integers(let values): writer.integers(values, field: 8)
        }
      }
    }
    if !node.domain.isEmpty { writer.string(node.domain, field: 7) }
  }

  private static func write(_ tensor: Tensor, _ name: String, to writer: inout ProtobufWriter) {
    writer.integers(tensor.shape, field: 1)
    writer.integer(tensor.element, field: 2)
    writer.string(name, field: 8)
    writer.bytes(tensor.bytes, field: 9)
  }

  private static func write(
    _ name: String, _ element: Int, _ shape: [Int?], to writer: inout ProtobufWriter
  ) {
    writer.string(name, field: 1)
    writer.message(field: 2) { type in
      type.message(field: 1) { tensor in
        tensor.integer(element, field: 1)
        tensor.message(field: 2) { whole in
          for extent in shape {
            whole.message(field: 1) { dimension in
              if let extent { dimension.integer(extent, field: 1) } else { dimension.string("N", field: 2) }
            }
          }
        }
      }
    }
  }
}

extension ONNXSketch {
  /// A chain with a bit of everything that is read, small enough to change each of its bytes.
  static var sample: ONNXSketch {
    var sketch = ONNXSketch(shape: [nil, 1, 4, 4])
    sketch.metadata = ["classNames": #"["a","b","c"]"#, "labelValues": "[1,2,3]", "refusalThreshold": "0.5"]
    let pads = sketch.integers([0, 0, 1, 0, 0, 0, 0, 1])
    sketch.add("Pad", pads)
    let kernel = sketch.floats([0.5, -1, 0.25, 1], [2, 1, 1, 2])
    sketch.add("Conv", kernel, attributes: ["strides": .integers([2, 1]), "pads": .integers([0, 0, 1, 1])])
    let statistics = (0..<4).map { sketch.floats([1, 0.5 + Float($0)], [2]) }
    sketch.node("BatchNormalization", [sketch.current] + statistics, isNext: true)
    sketch.add("Relu")
    sketch.add("MaxPool", attributes: ["kernel_shape": .integers([2, 2]), "ceil_mode": .integer(1)])
    let shape = sketch.node("Shape", [sketch.current])
    let first = sketch.node("Gather", [shape, sketch.integers([0])])
    let whole = sketch.node("Concat", [first, sketch.integers([-1])], attributes: ["axis": .integer(0)])
    sketch.add("Transpose", attributes: ["perm": .integers([0, 2, 3, 1])])
    sketch.add("Reshape", whole)
    let bytes = sketch.add(Tensor(shape: [3, 16], element: 3, bytes: (0..<48).map { UInt8($0 * 5) }))
    let scales = sketch.floats([0.01, 0.02, 0.03], [3])
    let weights = sketch.node("DequantizeLinear", [bytes, scales], attributes: ["axis": .integer(0)])
    let transposed = sketch.node("Transpose", [weights])
    sketch.add("MatMul", transposed)
    sketch.add("Add", sketch.floats([0.1, 0.2, 0.3], [1, 3]))
    sketch.add("Softmax")
    let probabilities = sketch.current
    sketch.node("ArgMax", [probabilities], attributes: ["axis": .integer(1)])
    sketch.outputs = [(probabilities, 1)]
    return sketch
  }
}
