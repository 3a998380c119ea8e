@testable import Inference
import HostInference

/// What is in an `.ink` file, as `Scripts/read-ink.py` prints it.
struct NetworkContent: Codable, Equatable {
  struct Input: Codable, Equatable {
    var width: Int
    var height: Int
    var channels: Int
    var isInkHigh: Bool
    var scale: Double
    var offset: Double
  }

  struct Label: Codable, Equatable {
    var name: String
    var value: Int
  }

  /// Fields that an operation does not have are left out.
  struct Entry: Codable, Equatable {
    var kind: String
    var activation: String?
    var slope: Double?
    var inputScale: Double?
    var outputScale: Double?
    var filters: Int?
    var outputs: Int?
    /// Height, width, stride down and across.
    var window: [Int]?
    /// Above, to the left, below, to the right.
    var padding: [Int]?
    var groups: Int?
    /// Numbers of tensors.
    var weights: Int?
    var bias: Int?
    var scale: Int?
    var shift: Int?
  }

  struct Tensor: Codable, Equatable {
    var type: String
    var rows: Int
    var columns: Int
    /// The CRC-32 of the values, scales multiplied in, as little-endian float32.
    var checksum: UInt32
  }

  var byteCount: Int
  var alignment: Int
  var input: Input
  var labels: [Label]
  var operations: [Entry]
  var tensors: [Tensor]
  var metadata: [[String]]
  // Left out where the file says nothing of them.
  var refusalThreshold: Double?
  var takesNormalizedInk: Bool?

  init(_ network: Network) throws {
    byteCount = network.byteCount
    alignment = Int(network.bytes[5])
    let description = network.input
    input = Input(
      width: description.extent.width, height: description.extent.height,
      channels: description.extent.channels, isInkHigh: description.isInkHigh,
      scale: Double(description.scale), offset: Double(description.offset))
    labels = network.labels.enumerated().map { Label(name: $1, value: network.labelValue($0)) }
    operations = []
    var walk = try Walk(
      bytes: network.bytes, operations: network.operations, tensors: network.tensors, input: description)
    while let step = try walk.next() { operations.append(Entry(step.operation)) }
    var table = ByteReader(network.bytes, network.tensors)
    let count = try table.short()
    tensors = (0..<count).map { Tensor(network.tensor($0)) }
    metadata = network.metadata.map { [$0.key, $0.value] }
    refusalThreshold = network.refusalThreshold > 0 ? Double(network.refusalThreshold) : nil
    takesNormalizedInk = network.takesNormalizedInk ? true : nil
  }
}

extension NetworkContent.Entry {
  fileprivate init(_ operation: Operation) {
    switch operation {
    case .convolution(let convolution):
      self.init(kind: "convolution", filters: convolution.filters)
      set(convolution.activation, convolution.integers)
      set(convolution.window)
      padding = [convolution.top, convolution.left, convolution.bottom, convolution.right]
      groups = convolution.groups
      weights = convolution.weights
      bias = convolution.bias == InkFormat.noTensor ? nil : convolution.bias
    case .dense(let dense):
      self.init(kind: "dense", outputs: dense.outputs)
      set(dense.activation, dense.integers)
      weights = dense.weights
      bias = dense.bias == InkFormat.noTensor ? nil : dense.bias
    case .maximumPool(let window):
      self.init(kind: "maximumPool")
      set(window)
    case .averagePool(let window):
      self.init(kind: "averagePool")
      set(window)
    case .globalAveragePool: self.init(kind: "globalAveragePool")
    case .flatten: self.init(kind: "flatten")
    case .softmax: self.init(kind: "softmax")
    case .activation(let activation):
      self.init(kind: "activation")
      set(activation, nil)
    case .affine(let scale, let shift):
      self.init(kind: "affine")
      (self.scale, self.shift) = (scale, shift)
    }
  }

  private mutating func set(_ activation: Operation.Activation, _ integers: Operation.IntegerScales?) {
    switch activation {
    case .none: self.activation = "none"
    case .rectifier: self.activation = "relu"
    case .leaky(let slope): (self.activation, self.slope) = ("leakyRelu", Double(slope))
    }
    (inputScale, outputScale) = (integers.map { Double($0.input) }, integers.map { Double($0.output) })
  }

  private mutating func set(_ window: Operation.Window) {
    self.window = [window.height, window.width, window.down, window.across]
  }
}

extension NetworkContent.Tensor {
  fileprivate init(_ tensor: WeightTensor) {
    type = "\(tensor.type)"
    (rows, columns) = (tensor.rows, tensor.columns)
    var bytes: [UInt8] = []
    for row in 0..<tensor.rows {
      for column in 0..<tensor.columns {
        let bits = (tensor.number(row, column) * tensor.scale(of: row)).bitPattern
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      }
    }
    checksum = bytes.withUnsafeBytes { Inference.checksum($0) }
  }
}
