import Testing
import Wire

@testable import Interchange

/// What an ONNX file holds, by its protobuf fields alone: the tests' own look at what was written.
struct ONNXGraphReader {
  struct Node: Equatable {
    var kind = ""
    var inputs: [String] = []
    var outputs: [String] = []
    var integers: [String: [Int]] = [:]
    var floats: [String: Float] = [:]
  }

  struct Tensor: Equatable {
    var element = 0
    var shape: [Int] = []
    var bytes: [UInt8] = []
  }

  struct Value: Equatable {
    var name = ""
    var element = 0
    /// Numbers and names.
    var shape: [String] = []
  }

  var irVersion = 0
  var opset = 0
  var documentation = ""
  var metadata: [String: String] = [:]
  var nodes: [Node] = []
  var tensors: [String: Tensor] = [:]
  var inputs: [Value] = []
  var outputs: [Value] = []

  init(_ bytes: [UInt8]) throws {
    for field in try Message(bytes[...]).fields {
      switch field.number {
      case 1: irVersion = field.integer
      case 6: documentation = field.text
      case 7: try readGraph(field.message)
      case 8: opset = try field.message.first(2)?.integer ?? 0
      case 14:
        metadata[try field.message.first(1)?.text ?? ""] = try field.message.first(2)?.text
      default: break
      }
    }
  }

  private mutating func readGraph(_ message: Message) throws {
    for field in message.fields {
      switch field.number {
      case 1: nodes.append(try node(field.message))
      case 5: tensors[try field.message.first(8)?.text ?? ""] = tensor(try field.message)
      case 11: inputs.append(try value(field.message))
      case 12: outputs.append(try value(field.message))
      default: break
      }
    }
  }

  private func node(_ message: Message) throws -> Node {
    var node = Node()
    for field in message.fields {
      switch field.number {
      case 1: node.inputs.append(field.text)
      case 2: node.outputs.append(field.text)
      case 4: node.kind = field.text
      case 5:
        let attribute = try field.message
        let name = attribute.first(1)?.text ?? ""
        // The type says which of the others holds the value.
        switch attribute.first(20)?.integer {
        case 1: node.floats[name] = attribute.first(2)?.float
        case 2: node.integers[name] = [attribute.first(3)?.integer ?? -1]
        case 7: node.integers[name] = attribute.first(8)?.integers
        default: Issue.record("an attribute of another type: \(name)")
        }
      default: break
      }
    }
    return node
  }

  private func tensor(_ message: Message) -> Tensor {
    Tensor(
      element: message.first(2)?.integer ?? 0, shape: message.first(1)?.integers ?? [],
      bytes: message.first(9)?.bytes ?? [])
  }

  private func value(_ message: Message) throws -> Value {
    var value = Value(name: message.first(1)?.text ?? "")
    guard let type = try message.first(2)?.message.first(1)?.message else { return value }
    value.element = type.first(1)?.integer ?? 0
    for dimension in try type.first(2)?.message.fields ?? [] {
      let content = try dimension.message
      value.shape.append(content.first(2)?.text ?? "\(content.first(1)?.integer ?? -1)")
    }
    return value
  }
}

/// The fields of a protobuf message.
private struct Message {
  var fields: [ProtobufReader.Field] = []

  init(_ bytes: ArraySlice<UInt8>) throws {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() { fields.append(field) }
  }

  func first(_ number: Int) -> ProtobufReader.Field? { fields.first { $0.number == number } }
}

extension ProtobufReader.Field {
  fileprivate var integer: Int {
    if case .varint(let value) = value { Int(truncatingIfNeeded: value) } else { -1 }
  }

  fileprivate var float: Float {
    if case .fixed32(let bits) = value { Float(bitPattern: bits) } else { .nan }
  }

  fileprivate var bytes: [UInt8] {
    if case .bytes(let bytes) = value { Array(bytes) } else { [] }
  }

  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Packed numbers, each of a byte or more.
  fileprivate var integers: [Int] {
    var (numbers, number, shift) = ([Int](), 0, 0)
    for byte in bytes {
      number |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 {
        numbers.append(number)
        (number, shift) = (0, 0)
      }
    }
    return numbers
  }

  fileprivate var message: Message {
    get throws { try Message(bytes[...]) }
  }
}
