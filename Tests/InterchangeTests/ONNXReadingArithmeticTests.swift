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
