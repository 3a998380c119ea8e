import Foundation
import HostInference
import Inference
import Testing

@testable import Interchange

/// What happens to one value, against what it is by hand.
struct ONNXReadingArithmeticTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of x = 0.2.
    let expected: Float
    let build: @Sendable (inout ONNXSketch) -> Void

    init(_ description: String, _ expected: Float, _ build: @escaping @Sendable (inout ONNXSketch) -> Void) {
      (testDescription, self.expected, self.build) = (description, expected, build)
    }
  }

  static let rows: [Row] = [
    Row("1 - x", 0.8) { $0.node("Sub", [$0.floats([1], []), $0.current], isNext: true) },
    Row("x - 1", -0.8) { $0.add("Sub", $0.floats([1], [])) },
    Row("x / 0.5", 0.4) { $0.add("Div", $0.floats([0.5], [1])) },
    Row("(x + 0.5) · 2", 1.4) {
      $0.add("Add", $0.floats([0.5], []))
      $0.add("Mul", $0.floats([2], []))
    },
    Row("2 · x + 0.5", 0.9) {
      $0.add("Mul", $0.floats([2], []))
      $0.add("Add", $0.floats([0.5], []))
    },
    Row("3 - 2 · ReLU(x - 0.1)", 2.8) {
      $0.add("Sub", $0.floats([0.1], []))
      $0.add("Relu")
      $0.add("Mul", $0.floats([2], []))
      $0.node("Sub", [$0.floats([3], []), $0.current], isNext: true)
    },
    Row("LeakyReLU(-x), slope 0.01", -0.002) {
      $0.add("Mul", $0.floats([-1], []))
      $0.add("LeakyRelu")
    },
    // Statistics without spread, so that ε is all there is: 0.001 / √ε.
    Row("batch normalisation", 2 * 0.001 / Float(1e-5).squareRoot() + 1) { $0.addNormalization() },
    Row("batch normalisation with ε", 2 * 0.001 / Float(4e-4).squareRoot() + 1) {
      $0.addNormalization(["epsilon": .float(4e-4)])
    },
    Row("a convolution's bias", 1.1) {
      $0.add("Conv", $0.floats([3], [1, 1, 1, 1]), $0.floats([0.5], [1]))
    },
    Row("a matrix with α and β", 2 * 0.2 + 3 * 0.5) {
      $0.add("Flatten")
      $0.add(
        "Gemm", $0.floats([1], [1, 1]), $0.floats([0.5], [1]),
        attributes: ["alpha": .float(2), "beta": .float(3)])
    },
  ]

  @Test(arguments: rows) func value(row: Row) throws {
    var sketch = ONNXSketch(shape: [nil, 1, 1, 1])
    row.build(&sketch)
    sketch.add("Flatten")
    sketch.add("MatMul", sketch.floats([1, 0], [1, 2]))
    let network = try Network(
      copying: ONNXNetwork(bytes: sketch.bytes, name: "x", pixelScale: 1 / 255).inkAsWritten)
    // The softmax of v and 0.
    let probabilities = try network.predict([51]).probabilities
    let found = log(probabilities[0] / probabilities[1])
    // The mean, 0.2 less a thousandth, and the probabilities have seven digits.
    #expect(abs(found - row.expected) < 1e-4)
  }

  /// Of an odd number of zeros the one that is left over lies behind the image, or before it.
  @Test func zerosThatKeepTheSize() throws {
    func file(_ attributes: [String: ONNXSketch.Attribute]) throws -> [UInt8] {
      var sketch = ONNXSketch(shape: [nil, 1, 4, 4])
      sketch.add("Conv", sketch.floats([1, 2, 3, 4], [1, 1, 2, 2]), attributes: attributes)
      sketch.add("Flatten")
      sketch.add("MatMul", sketch.floats((0..<32).map(Float.init), [16, 2]))
      return try ONNXNetwork(bytes: sketch.bytes, name: "x").inkAsWritten
    }
    let (upper, lower) = try (
      file(["auto_pad": .text("SAME_UPPER")]), file(["auto_pad": .text("SAME_LOWER")])
    )
    #expect(try upper == file(["pads": .integers([0, 0, 1, 1])]))
    #expect(try lower == file(["pads": .integers([1, 1, 0, 0])]))
    #expect(upper != lower)
  }

  /// A dense layer behind rows, columns, channels has its weights in that order.
  @Test func flattenedWithTheChannelsLast() throws {
    func weights(isLast: Bool) throws -> [[Float]] {
      var sketch = ONNXSketch(shape: [nil, 2, 2, 2])
      if isLast { sketch.add("Transpose", attributes: ["perm": .integers([0, 2, 3, 1])]) }
      sketch.add("Flatten")
      // Row by row what belongs to channel, row, column: of the first channel the even numbers.
      let order = isLast ? Array(0..<8) : [0, 2, 4, 6, 1, 3, 5, 7]
      sketch.add("MatMul", sketch.floats(order.flatMap { [Float($0), -Float($0)] }, [8, 2]))
      return try ONNXNetwork(bytes: sketch.bytes, name: "x").network.tensors.map(\.values)
    }
    #expect(try weights(isLast: true) == weights(isLast: false))
  }

  /// Scales go with the second axis unless an axis is named.
  @Test(arguments: [nil, 1, -1, 0] as [Int?]) func theAxisOfScales(axis: Int?) throws {
    var sketch = ONNXSketch()
    sketch.add("Flatten")
    let bytes = sketch.add(
      ONNXSketch.Tensor(shape: [4, 4], element: 3, bytes: [UInt8](repeating: 1, count: 16)))
    let scales = sketch.floats([1, 2, 3, 4], [4])
    let matrix = sketch.node(
      "DequantizeLinear", [bytes, scales], attributes: axis.map { ["axis": .integer($0)] } ?? [:])
    sketch.add("MatMul", matrix)
    // Here each row has the weights of one output.
    let values = try ONNXNetwork(bytes: sketch.bytes, name: "x").network.tensors.first?.values
    #expect(values?.prefix(4) == (axis == 0 ? [1, 2, 3, 4] : [1, 1, 1, 1]))
  }

  /// Without an axis it is the first one up to opset 12, with all that follow, and the last one since.
  @Test func theAxisOfASoftmax() throws {
    func read(opset: Int, _ shape: [Int]) throws {
      var sketch = ONNXSketch(opset: opset)
      sketch.add("Flatten")
      sketch.add("MatMul", sketch.floats([1, 2, 3, 4, 5, 6, 7, 8], [4, 2]))
      sketch.add("Reshape", sketch.integers(shape))
      sketch.add("Softmax")
      _ = try ONNXNetwork(bytes: sketch.bytes, name: "x")
    }
    try read(opset: 12, [1, 2, 1])
    try read(opset: 13, [1, 1, 2])
    #expect(throws: InterchangeError.self) { try read(opset: 13, [1, 2, 1]) }
  }
}

extension ONNXSketch {
  /// 2 · (x - 0.199) / √(0 + ε) + 1.
  fileprivate mutating func addNormalization(_ attributes: [String: Attribute] = [:]) {
    add("Relu")
    let parameters = [Float(2), 1, 0.199, 0].map { floats([$0], [1]) }
    node("BatchNormalization", [current] + parameters, attributes: attributes, isNext: true)
  }
}
