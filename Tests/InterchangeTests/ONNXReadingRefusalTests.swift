import Inference
import Testing

@testable import Interchange

/// What cannot be read right is not read at all; the error names the node.
struct ONNXReadingRefusalTests {
  /// Fails unless a network that begins so is refused with these words.
  private func expectRefusal(
    _ words: String, opset: Int = 13, shape: [Int?] = [nil, 2, 4, 4], element: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation, _ build: (inout ONNXSketch) -> Void
  ) {
    var sketch = ONNXSketch(opset: opset, shape: shape, element: element)
    build(&sketch)
    if sketch.current != "image" || !sketch.outputs.isEmpty { sketch.add("GlobalAveragePool") }
    do throws(InterchangeError) {
      _ = try ONNXNetwork(bytes: sketch.bytes, name: "x.onnx")
      Issue.record("was read", sourceLocation: sourceLocation)
    } catch {
      #expect(
        error.description.hasPrefix("x.onnx: ") && error.description.contains(words), "\(error)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func nodes() {
    expectRefusal("node 1 'node of v0' (Sigmoid): expected an operator that Inkling has") {
      $0.add("Sigmoid")
    }
    expectRefusal("(Relu): expected a standard operator, found one of the domain 'com.x'") {
      $0.add("Relu", domain: "com.x")
    }
    expectRefusal("expected a standard operator") {
      let two = $0.floats([2], [])
      $0.add("Mul", $0.node("Add", [two, two], domain: "com.x"))
    }
    expectRefusal("(Add): expected one value from the node before, found it more than once") {
      $0.node("Add", ["image", "image"], isNext: true)
    }
    expectRefusal("(Add): expected one value from the node before, found 'image' from elsewhere") {
      $0.add("Relu")
      $0.add("Add", "image")
    }
    expectRefusal("as the first input") { $0.node("Dropout", [$0.floats([1], []), "image"], isNext: true) }
    expectRefusal("as the first input") {
      $0.node("Add", ["image", $0.floats([1], []), $0.floats([1], [])], isNext: true)
    }
    expectRefusal("a dropout that drops nothing") {
      $0.add("Dropout", $0.floats([0.5], []), $0.add(.init(shape: [], element: 9, bytes: [1])))
    }
    expectRefusal("nothing after the softmax") {
      $0.add("GlobalAveragePool")
      $0.add("Softmax", attributes: ["axis": .integer(1)])
      $0.add("Relu")
    }
    // A number for each row, by the words of old opsets.
    expectRefusal("a number for each channel", opset: 6) {
      let numbers = $0.floats([1, 2, 3, 4], [4])
      $0.add("Add", numbers, attributes: ["broadcast": .integer(1), "axis": .integer(2)])
    }
  }

  @Test func windows() {
    let size = ONNXSketch.Attribute.integers([2, 2])
    expectRefusal("a window without gaps") {
      $0.add("MaxPool", attributes: ["kernel_shape": size, "dilations": .integers([1, 2])])
    }
    expectRefusal("values of 0 or more") {
      $0.add("Sub", $0.floats([1], []))
      $0.add("MaxPool", attributes: ["kernel_shape": size, "pads": .integers([0, 0, 1, 0])])
    }
    // Pixels that are normalised later may be below 0.
    expectRefusal("values of 0 or more") {
      $0.add("MaxPool", attributes: ["kernel_shape": size, "pads": .integers([0, 0, 1, 0])])
    }
    expectRefusal("a pool that stays inside or counts the zeros") {
      $0.add("AveragePool", attributes: ["kernel_shape": size, "pads": .integers([0, 0, 1, 0])])
    }
    expectRefusal("a pool that stays inside or counts the zeros") {
      $0.add(
        "AveragePool",
        attributes: [
          "kernel_shape": .integers([3, 3]), "strides": size, "ceil_mode": .integer(1),
          "count_include_pad": .integer(1),
        ])
    }
    expectRefusal("four pads of 0 to 255") {
      $0.add("AveragePool", attributes: ["kernel_shape": size, "pads": .integers([0, 0, -1, 0])])
    }
    expectRefusal("a window that fits") {
      $0.add("MaxPool", attributes: ["kernel_shape": .integers([5, 5])])
    }
    expectRefusal("a known auto_pad") {
      $0.add("MaxPool", attributes: ["kernel_shape": size, "auto_pad": .text("SAME")])
    }
    expectRefusal("rows and columns of zeros") { $0.add("Pad", $0.integers([0, 1, 0, 0, 0, 0, 0, 0])) }
    expectRefusal("rows and columns of zeros") {
      $0.add("Pad", $0.integers([0, 0, 1, 0, 0, 0, 0, 0]), $0.floats([1], []))
    }
    expectRefusal("weights for 2 channels in 1 groups") {
      $0.add("Conv", $0.floats([1, 2, 3], [1, 3, 1, 1]))
    }
    expectRefusal("a kernel_shape of [1, 1]") {
      $0.add("Conv", $0.floats([1, 2], [1, 2, 1, 1]), attributes: ["kernel_shape": size])
    }
    expectRefusal("a bias for 1 outputs") {
      $0.add("Conv", $0.floats([1, 2], [1, 2, 1, 1]), $0.floats([1, 2], [2]))
    }
  }

  /// In bytes a sum runs over, and a quotient of whole numbers is cut off.
  @Test func arithmeticOfWholeNumbers() {
    expectRefusal("arithmetic with floats", element: 6) {
      $0.add("Div", $0.add(.init(shape: [], element: 6, bytes: [255, 0, 0, 0])))
    }
    for kind in ["Add", "Sub", "Mul"] {
      expectRefusal("arithmetic with floats", element: 2) {
        $0.add(kind, $0.add(.init(shape: [], element: 2, bytes: [128])))
      }
    }
  }

  @Test func constantsThatFitNoChannel() {
    expectRefusal("a number for each channel, or one for all, found [4] for [1, 2, 4, 4]") {
      $0.add("Add", $0.floats([1, 2, 3, 4], [4]))
    }
    // As many numbers as channels, but along the columns.
    expectRefusal("a number for each channel", shape: [nil, 4, 4, 4]) {
      $0.add("Add", $0.floats([1, 2, 3, 4], [4]))
    }
    expectRefusal("a constant that fits to [1, 2, 4, 4]") { $0.add("Mul", $0.floats([1], [1, 1, 1, 1, 1])) }
    expectRefusal("a constant that fits", shape: [nil, 1, 4, 4]) {
      $0.add("Mul", $0.floats([1, 2], [2, 1, 1]))
    }
    expectRefusal("a value that is divided by a constant") {
      $0.node("Div", [$0.floats([1], []), "image"], isNext: true)
    }
    expectRefusal("expected weights and factors that are finite") { $0.add("Div", $0.floats([0], [])) }
    expectRefusal("expected weights and factors that are finite", shape: [nil, 1, 1, 1]) {
      $0.add("Conv", $0.floats([.infinity], [1, 1, 1, 1]))
    }
    expectRefusal("expected weights and factors that are finite") {
      $0.add("LeakyRelu", attributes: ["alpha": .float(.nan)])
    }
    expectRefusal("in training") { sketch in
      let parameters = (0..<4).map { _ in sketch.floats([1, 2], [2]) }
      sketch.node(
        "BatchNormalization", ["image"] + parameters, attributes: ["training_mode": .integer(1)], isNext: true
      )
    }
    expectRefusal("statistics for 2 channels", shape: [nil, 5, 5, 2]) { sketch in
      let parameters = (0..<4).map { _ in sketch.floats([1, 2, 3, 4, 5], [5]) }
      sketch.node("BatchNormalization", [sketch.current] + parameters, isNext: true)
    }
  }

  @Test func axesThatAreMixed() {
    expectRefusal("other axes for the values of one image") { $0.add("Reshape", $0.integers([2, -1])) }
    expectRefusal("other axes for the values of one image") { $0.add("Reshape", $0.integers([-1, 4, 2, 4])) }
    expectRefusal("other axes for the values of one image") {
      $0.add("Transpose", attributes: ["perm": .integers([1, 0, 2, 3])])
    }
    expectRefusal("an image, [batch, channels, rows, columns]") {
      $0.add("Transpose", attributes: ["perm": .integers([0, 1, 3, 2])])
      $0.add("MaxPool", attributes: ["kernel_shape": .integers([1, 1])])
    }
    expectRefusal("a vector times a matrix") { $0.add("MatMul", $0.floats([1, 2, 3, 4], [4, 1])) }
    expectRefusal("a matrix for 32 values") {
      $0.add("Flatten")
      $0.add("Gemm", $0.floats([1, 2, 3, 4], [4, 1]))
    }
    expectRefusal("a mean over rows and columns") {
      $0.add("ReduceMean", attributes: ["axes": .integers([1, 2])])
    }
    expectRefusal("a mean over rows and columns") { $0.add("ReduceMean") }
    expectRefusal("a softmax over all values") { $0.add("Softmax", attributes: ["axis": .integer(1)]) }
    expectRefusal("a softmax over all values", opset: 11) {
      $0.add("Softmax", attributes: ["axis": .integer(2)])
    }
    expectRefusal("the first of the largest scores") {
      $0.add("ArgMax", attributes: ["axis": .integer(1)])
      $0.outputs = [($0.current, 7)]
    }
  }

  @Test func wholeNumbers() {
    expectRefusal("one scale above 0") { $0.add("QuantizeLinear", $0.floats([1, 2], [2])) }
    expectRefusal("one scale above 0") { $0.add("DequantizeLinear", $0.floats([-1], [])) }
    expectRefusal("values that are dequantised first, found bytes") {
      $0.add("QuantizeLinear", $0.floats([1], []))
      $0.add("Add", $0.floats([1], []))
    }
    expectRefusal("a cast to whole numbers") {
      $0.add("Mul", $0.floats([2], []))
      $0.add("Cast", attributes: ["to": .integer(6)])
    }
  }

  @Test func inputsAndOutputs() {
    expectRefusal("images of a fixed size", shape: [nil, 1, nil, 4]) { $0.add("Relu") }
    expectRefusal("images of a fixed size", shape: [nil, 256, 5, 5]) { $0.add("Relu") }
    expectRefusal("of another type", element: 3) { $0.add("Relu") }
    var sketch = ONNXSketch()
    sketch.add("Relu")
    #expect(throws: InterchangeError.self) { try ONNXNetwork(bytes: sketch.bytes, name: "x") }
    sketch.outputs = [("nowhere", 1)]
    #expect(throws: InterchangeError.self) { try ONNXNetwork(bytes: sketch.bytes, name: "x") }
  }
}
