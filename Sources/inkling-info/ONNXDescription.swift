import Datasets
import Interchange
import PlainText

extension FileKind {
  /// The version of its layout comes first, as in each such file.
  static let onnx = FileKind(
    name: "an ONNX model", recognizes: { $0.starts(with: [0x08]) },
    describe: { path throws(FileError) in FileDescription(try ONNXOutline(contentsOf: path)) })
}

extension FileDescription {
  init(_ model: ONNXOutline) {
    self.init(kind: "ONNX model")
    add("opset", .count(model.opset), "operators", "opset \(model.opset), IR version \(model.irVersion)")
    add("irVersion", .count(model.irVersion))
    add("byteCount", .count(model.byteCount), "file", "\(model.byteCount.groupedDigits) bytes")
    if !model.producer.isEmpty {
      add("producer", .text(model.producer), "producer", model.producer.cut(to: 60))
    }
    for (label, values) in [("input", model.inputs), ("output", model.outputs)] {
      add("\(label)s", .list(values.map(Self.value)))
      for value in values.prefix(8) { addLine(label, Self.text(value)) }
    }
    for (key, value) in model.metadata.sorted(by: { $0.key < $1.key }).prefix(40) {
      addLine(key.cut(to: 20), value.cut(to: 200))
    }
    add("metadata", .object(model.metadata.mapValues(FactValue.text)))
    add("nodes", .list(model.nodes.map(Self.node)))
    var table = TextTable([.right, .left, .left, .left], flexible: 2)
    table.add(["", "node", "name", "weights"])
    for (index, node) in model.nodes.enumerated() {
      table.add([
        "\(index + 1)", node.kind.cut(to: 30), node.name, node.weights.map(Self.text).joined(separator: ", "),
      ])
    }
    self.table = table.text
  }

  private static func value(_ value: ONNXOutline.Value) -> FactValue {
    .object([
      "name": .text(value.name), "type": value.element.map(FactValue.text) ?? .none,
      "shape": value.shape.map { .list($0.map { $0.map(FactValue.count) ?? .none }) } ?? .none,
    ])
  }

  private static func node(_ node: ONNXOutline.Node) -> FactValue {
    .object([
      "operator": .text(node.kind), "name": .text(node.name),
      "weights": .list(node.weights.map { .list($0.map(FactValue.count)) }),
    ])
  }

  private static func text(_ value: ONNXOutline.Value) -> String {
    "\(value.name.cut(to: 40)): \(value.element ?? "unknown type"), " + (value.shape.map(text) ?? "any shape")
  }

  private static func text(_ shape: [Int?]) -> String {
    shape.isEmpty ? "one number" : shape.map { $0.map(String.init) ?? "N" }.joined(separator: "×")
  }
}
