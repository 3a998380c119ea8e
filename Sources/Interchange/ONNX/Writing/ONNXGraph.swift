import Wire

/// Nodes one after another, and the numbers that they use.
struct ONNXGraph {
  private(set) var nodes: [ONNXNode] = []
  private(set) var tensors: [ONNXTensor] = []

  /// Adds a node and gives the name of its output.
  @discardableResult
  mutating func add(
    _ kind: String, _ inputs: [String], to output: String, _ attributes: [ONNXNode.Attribute] = []
  ) -> String {
    nodes.append(ONNXNode(kind: kind, inputs: inputs, output: output, attributes: attributes))
    return output
  }

  /// Adds numbers and gives their name.
  mutating func add(_ tensor: ONNXTensor) -> String {
    tensors.append(tensor)
    return tensor.name
  }

  func write(to writer: inout ProtobufWriter) {
    for node in nodes { writer.message(field: ONNXFormat.Graph.node) { node.write(to: &$0) } }
    for tensor in tensors { writer.message(field: ONNXFormat.Graph.initializer) { tensor.write(to: &$0) } }
  }
}

/// An input or output of the graph.
struct ONNXValue {
  let name: String
  let element: ONNXFormat.Element
  /// What follows the number of images, which any file leaves open.
  let shape: [Int]
  let documentation: String

  func write(to writer: inout ProtobufWriter) {
    writer.string(name, field: ONNXFormat.Value.name)
    writer.message(field: ONNXFormat.Value.type) { type in
      type.message(field: ONNXFormat.ValueType.tensor) { tensor in
        tensor.integer(element.rawValue, field: ONNXFormat.TensorType.elementType)
        tensor.message(field: ONNXFormat.TensorType.shape) { whole in
          whole.message(field: ONNXFormat.Shape.dimension) {
            $0.string("N", field: ONNXFormat.Dimension.name)
          }
          for number in shape {
            whole.message(field: ONNXFormat.Shape.dimension) {
              $0.integer(number, field: ONNXFormat.Dimension.number)
            }
          }
        }
      }
    }
    writer.string(documentation, field: ONNXFormat.Value.documentation)
  }
}
