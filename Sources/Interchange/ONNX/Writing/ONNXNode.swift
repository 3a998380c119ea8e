import Wire

/// One use of an operator.
struct ONNXNode {
  /// What the operator is called.
  let kind: String
  let inputs: [String]
  /// The one output; the node itself is called so too.
  let output: String
  let attributes: [Attribute]

  struct Attribute {
    let name: String
    let value: Value

    enum Value {
      case float(Float)
      case integer(Int)
      case integers([Int])
    }

    init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  func write(to writer: inout ProtobufWriter) {
    for input in inputs { writer.string(input, field: ONNXFormat.Node.input) }
    writer.string(output, field: ONNXFormat.Node.output)
    writer.string(output, field: ONNXFormat.Node.name)
    writer.string(kind, field: ONNXFormat.Node.operatorType)
    for attribute in attributes {
      writer.message(field: ONNXFormat.Node.attribute) { attribute.write(to: &$0) }
    }
  }
}

extension ONNXNode.Attribute {
  fileprivate func write(to writer: inout ProtobufWriter) {
    typealias Field = ONNXFormat.Attribute
    writer.string(name, field: Field.name)
    switch value {
    case .float(let value):
      writer.float(value, field: Field.float)
      writer.integer(Field.Kind.float.rawValue, field: Field.type)
    case .integer(let value):
      writer.integer(value, field: Field.integer)
      writer.integer(Field.Kind.integer.rawValue, field: Field.type)
    case .integers(let values):
      writer.integers(values, field: Field.integers)
      writer.integer(Field.Kind.integers.rawValue, field: Field.type)
    }
  }
}
