import Datasets
import PlainText

/// What stands in an ONNX file, to be looked at: also one with nodes that ``ONNXNetwork`` does not read.
package struct ONNXOutline: Sendable {
  package let irVersion: Int
  /// The version of the standard operators.
  package let opset: Int
  /// The program that wrote it; may be empty.
  package let producer: String
  package let metadata: [String: String]
  /// Without the initialisers, which old files list too.
  package let inputs: [Value]
  package let outputs: [Value]
  package let nodes: [Node]
  package let byteCount: Int

  package struct Value: Sendable {
    package let name: String
    /// Such as `float`; nil for one that is not known.
    package let element: String?
    /// Nil where the file says nothing; an extent is nil where it may be any.
    package let shape: [Int?]?
  }

  package struct Node: Sendable {
    package let name: String
    /// The operator, such as `Conv`.
    package let kind: String
    /// The shapes of the initialisers that go into it.
    package let weights: [[Int]]
  }

  /// Throws a `FileError` for a file that cannot be read or is none.
  package init(contentsOf path: String) throws(FileError) {
    let reader = try FileReader(path: path)
    let bytes = reader.byteCount <= ONNXNetwork.largestByteCount ? try reader.readAll() : []
    let file: ONNXFile
    do {
      file = try ONNXFile(bytes, name: path)
    } catch {
      throw FileError(
        .malformed, path: path, expected: "an ONNX model of at most 512 MB",
        found: "other bytes, as in a damaged one or a Core ML model",
        remedy: "export or download the file again")
    }
    (irVersion, opset, producer) = (file.irVersion, file.opset, file.producer)
    (metadata, byteCount) = (file.metadata, bytes.count)
    inputs = file.inputs.filter { file.initializers[$0.name] == nil }.map(Value.init)
    outputs = file.outputs.map(Value.init)
    nodes = file.nodes.map { node in
      Node(name: node.name, kind: node.kind, weights: node.inputs.compactMap { file.initializers[$0]?.shape })
    }
  }
}

extension ONNXOutline.Value {
  fileprivate init(_ info: ONNXFile.ValueInfo) {
    self.init(name: info.name, element: info.element.map { "\($0)" }, shape: info.shape)
  }
}
