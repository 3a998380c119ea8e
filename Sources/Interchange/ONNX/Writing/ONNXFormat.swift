/// The numbers of an ONNX file: fields of its protobuf messages, and types of elements.
enum ONNXFormat {
  enum Model {
    static let irVersion = 1, producerName = 2, documentation = 6, graph = 7, opsetImport = 8
    static let metadata = 14
  }

  /// Of an opset import; without a domain it is that of the standard operators.
  enum OperatorSet { static let version = 2 }

  /// Of a pair of the metadata.
  enum Entry { static let key = 1, value = 2 }

  enum Graph {
    static let node = 1, name = 2, initializer = 5, input = 11, output = 12
  }

  enum Node {
    static let input = 1, output = 2, name = 3, operatorType = 4, attribute = 5
  }

  enum Attribute {
    static let name = 1, float = 2, integer = 3, integers = 8, type = 20
    /// What the field `type` says.
    enum Kind: Int { case float = 1, integer = 2, integers = 7 }
  }

  enum Tensor {
    static let dimensions = 1, elementType = 2, name = 8, rawData = 9
  }

  /// Of an input or output of the graph.
  enum Value { static let name = 1, type = 2, documentation = 3 }
  /// Of a value's type.
  enum ValueType { static let tensor = 1 }
  enum TensorType { static let elementType = 1, shape = 2 }
  enum Shape { static let dimension = 1 }
  /// A dimension is a number, or a name that stands for any.
  enum Dimension { static let number = 1, name = 2 }

  enum Element: Int {
    case float = 1, uint8 = 2, int8 = 3, int64 = 7, float16 = 10, int4 = 22
  }
}
