import PlainText
import Wire

/// What stands in an ONNX file, as it stands there: nodes, initialisers, inputs and outputs.
///
/// Numbers stay where they lie in the file until a node asks for them.
struct ONNXFile {
  var irVersion = 0
  /// The version of the standard operators.
  var opset = 1
  var producer = ""
  /// Whether the file imports the standard operators at all.
  var hasStandardOperators = false
  var metadata: [String: String] = [:]
  var nodes: [Node] = []
  var initializers: [String: ONNXTensorBytes] = [:]
  var inputs: [ValueInfo] = []
  var outputs: [ValueInfo] = []
  /// Whether there are fields such as only Core ML's models have: the kinds of models are numbered from 200 on.
  private var looksLikeCoreML = false

  struct Node {
    var name = ""
    var kind = ""
    var domain = ""
    /// An input that is left out has no name.
    var inputs: [String] = []
    var outputs: [String] = []
    var attributes: [String: Attribute] = [:]
  }

  struct Attribute {
    var float: Float?
    var integer: Int?
    var text: String?
    var tensor: ONNXTensorBytes?
    var integers: [Int] = []
    var floats: [Float] = []
  }

  struct ValueInfo {
    var name = ""
    var element: ONNXElement?
    /// Nil where the file says nothing of the shape; an extent is nil where it may be any.
    var shape: [Int?]?
  }

  /// A chain of layers has some dozens of nodes; an entry here takes more memory than in the file.
  static let mostEntries = 10_000

  /// Throws an `InterchangeError` for bytes that are no ONNX file.
  init(_ bytes: [UInt8], name: String) throws(InterchangeError) {
    do throws(ProtobufError) {
      try read(bytes[...])
    } catch {
      throw Self.notONNX(bytes, name: name, "bytes that are no protobuf message from byte \(error.offset) on")
    }
    guard irVersion > 0 || hasStandardOperators, !nodes.isEmpty else {
      throw Self.notONNX(
        bytes, name: name, looksLikeCoreML ? "a Core ML model" : nodes.isEmpty ? "no graph" : "no version")
    }
    guard max(nodes.count, initializers.count, inputs.count, outputs.count) < Self.mostEntries else {
      throw InterchangeError(
        "\(name): expected a network of fewer than 10,000 nodes, found more; export a chain of layers")
    }
  }

  private static func notONNX(_ bytes: [UInt8], name: String, _ found: String) -> InterchangeError {
    let head = bytes.prefix(40)
    let isText = !bytes.isEmpty && head.allSatisfy { (0x20..<0x7F).contains($0) || [9, 10, 13].contains($0) }
    let found =
      bytes.isEmpty
      ? "an empty file" : isText ? "text, \(head.text.quoted)" : found
    return InterchangeError(
      "\(name): expected an ONNX model, found \(found); export or download the file again")
  }
}

// The layout: see ONNXFormat for the numbers of the fields. Entries beyond the most are counted, but not kept.
extension ONNXFile {
  private mutating func read(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (ONNXFormat.Model.irVersion, .varint(let value)): irVersion = Int(truncatingIfNeeded: value)
      case (ONNXFormat.Model.producerName, .bytes(let value)): producer = value.text
      case (ONNXFormat.Model.graph, .bytes(let value)): try readGraph(value)
      case (ONNXFormat.Model.opsetImport, .bytes(let value)): try readOperatorSet(value)
      case (ONNXFormat.Model.metadata, .bytes(let value)):
        guard metadata.count < Self.mostEntries else { continue }
        let key = try ProtobufReader.message(ONNXFormat.Entry.key, in: value)?.text ?? ""
        metadata[key] = try ProtobufReader.message(ONNXFormat.Entry.value, in: value)?.text ?? ""
      case (200..., .bytes): looksLikeCoreML = true
      default: continue
      }
    }
  }

  private mutating func readOperatorSet(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var (domain, version) = ("", 1)
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (ONNXFormat.OperatorSet.domain, .bytes(let value)): domain = value.text
      case (ONNXFormat.OperatorSet.version, .varint(let value)): version = Int(truncatingIfNeeded: value)
      default: continue
      }
    }
    guard domain.isEmpty || domain == "ai.onnx" else { return }
    (opset, hasStandardOperators) = (version, true)
  }

  private mutating func readGraph(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      guard case .bytes(let value) = field.value else { continue }
      switch field.number {
      case ONNXFormat.Graph.node where nodes.count < Self.mostEntries: nodes.append(try Node(value))
      case ONNXFormat.Graph.initializer where initializers.count < Self.mostEntries:
        let tensor = try ONNXTensorBytes(value)
        initializers[tensor.name] = tensor
      case ONNXFormat.Graph.input where inputs.count < Self.mostEntries: inputs.append(try ValueInfo(value))
      case ONNXFormat.Graph.output where outputs.count < Self.mostEntries:
        outputs.append(try ValueInfo(value))
      default: continue
      }
    }
  }
}

extension ONNXFile.Node {
  fileprivate init(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      guard case .bytes(let value) = field.value else { continue }
      switch field.number {
      case ONNXFormat.Node.input where inputs.count < 100: inputs.append(value.text)
      case ONNXFormat.Node.output where outputs.count < 100: outputs.append(value.text)
      case ONNXFormat.Node.name: name = value.text
      case ONNXFormat.Node.operatorType: kind = value.text
      case ONNXFormat.Node.domain: domain = value.text
      case ONNXFormat.Node.attribute where attributes.count < 100:
        let (name, attribute) = try ONNXFile.Attribute.named(value)
        attributes[name] = attribute
      default: continue
      }
    }
  }
}

extension ONNXFile.Attribute {
  fileprivate static func named(
    _ message: ArraySlice<UInt8>
  ) throws(ProtobufError) -> (name: String, attribute: Self) {
    var (name, attribute) = ("", Self())
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (ONNXFormat.Attribute.name, .bytes(let value)): name = value.text
      case (ONNXFormat.Attribute.float, .fixed32(let value)): attribute.float = Float(bitPattern: value)
      case (ONNXFormat.Attribute.integer, .varint(let value)):
        attribute.integer = Int(truncatingIfNeeded: value)
      case (ONNXFormat.Attribute.string, .bytes(let value)): attribute.text = value.text
      case (ONNXFormat.Attribute.tensor, .bytes(let value)): attribute.tensor = try ONNXTensorBytes(value)
      case (ONNXFormat.Attribute.integers, _): attribute.integers += try field.value.integers()
      case (ONNXFormat.Attribute.floats, _): attribute.floats += field.value.floats()
      default: continue
      }
    }
    return (name, attribute)
  }
}

extension ONNXFile.ValueInfo {
  fileprivate init(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      guard case .bytes(let value) = field.value else { continue }
      switch field.number {
      case ONNXFormat.Value.name: name = value.text
      case ONNXFormat.Value.type:
        guard let tensor = try ProtobufReader.message(ONNXFormat.ValueType.tensor, in: value) else {
          continue
        }
        try readTensorType(tensor)
      default: continue
      }
    }
  }

  private mutating func readTensorType(_ message: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (ONNXFormat.TensorType.elementType, .varint(let value)):
        element = ONNXElement(rawValue: Int(truncatingIfNeeded: value))
      case (ONNXFormat.TensorType.shape, .bytes(let value)):
        var extents: [Int?] = []
        var shape = ProtobufReader(value)
        while let dimension = try shape.next() {
          guard case .bytes(let content) = dimension.value, extents.count < 16 else { continue }
          var fields = ProtobufReader(content)
          var extent: Int?
          while let field = try fields.next() {
            guard field.number == ONNXFormat.Dimension.number, case .varint(let number) = field.value else {
              continue
            }
            // Some writers say 0 or less where any number will do.
            extent = Int(truncatingIfNeeded: number) > 0 ? Int(truncatingIfNeeded: number) : nil
          }
          extents.append(extent)
        }
        self.shape = extents
      default: continue
      }
    }
  }
}
