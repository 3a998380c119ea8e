import Inference
import Testing

@testable import Interchange

/// Constants that are worked out, shapes, and how axes are told apart.
struct ONNXReadingFoldingTests {
  /// What a network of pixels 2×2 gives for them, as the file says it: [1, 2, 3, 4] times a matrix of numbers.
  private func folded(
    _ opset: Int = 13, _ build: (inout ONNXSketch) -> String
  ) throws -> ONNXConstant {
    var sketch = ONNXSketch(opset: opset)
    let name = build(&sketch)
    let file = try ONNXFile(sketch.bytes, name: "x")
    var folding = ONNXFolding(file, byteCount: sketch.bytes.count)
    for node in file.nodes { #expect(try folding.fold(node)) }
    return try folding.constant(name)
  }

  private struct Row: Sendable, CustomTestStringConvertible {
    var kind: String
    var first: ([Float], [Int])
    var second: ([Float], [Int])?
    var attributes: [String: ONNXSketch.Attribute] = [:]
    var values: [Double]
    var shape: [Int]

    var testDescription: String { "\(kind) \(first) \(second.map { "\($0)" } ?? "")" }
  }

  private static let rows: [Row] = [
    Row(
      kind: "Add", first: ([1, 2], [2, 1]), second: ([10, 20], [2]), values: [11, 21, 12, 22], shape: [2, 2]),
    Row(kind: "Sub", first: ([1, 2], [2]), second: ([1], []), values: [0, 1], shape: [2]),
    Row(kind: "Mul", first: ([3], [1, 1]), second: ([1, 2], [2]), values: [3, 6], shape: [1, 2]),
    Row(kind: "Div", first: ([1, 3], [2]), second: ([2], []), values: [0.5, 1.5], shape: [2]),
    Row(kind: "Neg", first: ([1, -2], [2]), values: [-1, 2], shape: [2]),
    Row(kind: "Sqrt", first: ([4, 9], [2]), values: [2, 3], shape: [2]),
    Row(kind: "Reciprocal", first: ([4], []), values: [0.25], shape: []),
    Row(
      kind: "Transpose", first: ([1, 2, 3, 4, 5, 6], [2, 3]), values: [1, 4, 2, 5, 3, 6], shape: [3, 2]),
    Row(
      kind: "Transpose", first: ([1, 2, 3, 4], [1, 2, 2]), attributes: ["perm": .integers([2, 0, 1])],
      values: [1, 3, 2, 4], shape: [2, 1, 2]),
    Row(kind: "Flatten", first: ([1, 2, 3, 4], [2, 1, 2]), values: [1, 2, 3, 4], shape: [2, 2]),
    Row(
      kind: "Flatten", first: ([1, 2, 3, 4], [2, 1, 2]), attributes: ["axis": .integer(0)],
      values: [1, 2, 3, 4], shape: [1, 4]),
    Row(kind: "Squeeze", first: ([1, 2], [1, 2, 1]), values: [1, 2], shape: [2]),
    Row(
      kind: "Squeeze", first: ([1, 2], [1, 2, 1]), attributes: ["axes": .integers([-1])], values: [1, 2],
      shape: [1, 2]),
    Row(
      kind: "Unsqueeze", first: ([1, 2], [2]), attributes: ["axes": .integers([0, -1])], values: [1, 2],
      shape: [1, 2, 1]),
    Row(kind: "Shape", first: ([1, 2], [1, 2, 1]), values: [1, 2, 1], shape: [3]),
    Row(
      kind: "Shape", first: ([1, 2], [1, 2, 1]), attributes: ["start": .integer(-2), "end": .integer(9)],
      values: [2, 1], shape: [2]),
    Row(
      kind: "Cast", first: ([-1.5, 2.5], [2]), attributes: ["to": .integer(7)], values: [-1, 2], shape: [2]),
    Row(kind: "Cast", first: ([0, 2.5], [2]), attributes: ["to": .integer(9)], values: [0, 1], shape: [2]),
    Row(kind: "Identity", first: ([7], [1]), values: [7], shape: [1]),
  ]

  @Test(arguments: rows)
  private func floats(row: Row) throws {
    let result = try folded { sketch in
      let first = sketch.floats(row.first.0, row.first.1)
      let second = row.second.map { sketch.floats($0.0, $0.1) }
      return sketch.node(row.kind, [first, second].compactMap(\.self), attributes: row.attributes)
    }
    #expect(result.values == row.values)
    #expect(result.shape == row.shape)
  }

  @Test func wholeNumbersAreDividedAsSuch() throws {
    let result = try folded { sketch in
      let (left, right) = (sketch.integers([7, -7]), sketch.integers([2], shape: []))
      return sketch.node("Div", [left, right])
    }
    #expect(result.integers == [3, -3])
  }

  /// Of [0, 1, 2, 3, 4]: from, to, step; and what that is.
  private static let sliceRows: [[[Int]]] = [
    [[1, 3, 1], [1, 2]], [[-2, .max, 1], [3, 4]], [[4, .min + 1, -2], [4, 2, 0]],
    [[-1, -4, -1], [4, 3, 2]],
    [[3, 1, 1], []], [[-100, 100, 3], [0, 3]], [[100, 0, -1], [4, 3, 2, 1]], [[0, 5, .max], [0]],
    [[4, -6, .min + 1], [4]],
  ]

  @Test(arguments: sliceRows)
  private func slices(row: [[Int]]) throws {
    let result = try folded { sketch in
      let data = sketch.integers([0, 1, 2, 3, 4])
      let (from, to, step) = (row[0][0], row[0][1], row[0][2])
      let inputs = [data] + [from, to, 0, step].map { sketch.integers([$0]) }
      return sketch.node("Slice", inputs)
    }
    #expect(result.integers == row[1])
  }

  @Test func slicesAlongSeveralAxes() throws {
    let result = try folded(9) { sketch in
      let data = sketch.floats((0..<6).map { Float($0) }, [2, 3])
      return sketch.node(
        "Slice", [data], attributes: ["starts": .integers([1, -2]), "ends": .integers([2, 3])])
    }
    #expect(result.values == [4, 5] && result.shape == [1, 2])
  }

  @Test func gathersAndPutsTogether() throws {
    let result = try folded { sketch in
      let data = sketch.integers([5, 6, 7, 8], shape: [2, 2])
      let column = sketch.node(
        "Gather", [data, sketch.integers([-1], shape: [])], attributes: ["axis": .integer(1)])
      let more = sketch.node("ConstantOfShape", [sketch.integers([2])])
      return sketch.node("Concat", [column, more, column], attributes: ["axis": .integer(0)])
    }
    #expect(result.integers == [6, 8, 0, 0, 6, 8])
  }

  @Test func dequantisesAlongAnAxis() throws {
    func values(axis: Int, _ scales: [Float], zeros: [UInt8]) throws -> [Double] {
      try folded { sketch in
        let data = sketch.add(ONNXSketch.Tensor(shape: [2, 3], element: 2, bytes: [1, 2, 3, 4, 5, 6]))
        let zero = sketch.add(ONNXSketch.Tensor(shape: [zeros.count], element: 2, bytes: zeros))
        return sketch.node(
          "DequantizeLinear", [data, sketch.floats(scales, [scales.count]), zero],
          attributes: ["axis": .integer(axis)])
      }.values
    }
    #expect(try values(axis: 0, [1, 2], zeros: [1, 2]) == [0, 1, 2, 4, 6, 8])
    #expect(try values(axis: -1, [1, 2, 4], zeros: [0, 1, 2]) == [1, 2, 4, 4, 8, 16])
    #expect(throws: ONNXMisfit.self) { try values(axis: 0, [1, 2, 4], zeros: [0, 0, 0]) }
    #expect(throws: ONNXMisfit.self) { try values(axis: 2, [1, 2], zeros: [0, 0]) }
  }

  @Test func quantisesToTheRangeOfTheType() throws {
    let result = try folded { sketch in
      let data = sketch.floats([-300, -0.25, 0.75, 1.25, 300], [5])
      let zero = sketch.add(ONNXSketch.Tensor(shape: [], element: 3, bytes: [2]))
      return sketch.node("QuantizeLinear", [data, sketch.floats([0.5], []), zero])
    }
    // Halves go to even numbers, before the zero is added.
    #expect(result.integers == [-128, 2, 4, 4, 127])
  }

  private struct Reshape: Sendable {
    var shape: [Int]
    var target: [Int]
    var allowsZero = 0
    /// Nil where it cannot be.
    var expected: [Int]?
  }

  /// 0 for an extent that stays, -1 for the rest.
  private static let reshapeRows: [Reshape] = [
    Reshape(shape: [2, 3, 4], target: [0, -1], expected: [2, 12]),
    Reshape(shape: [2, 3, 4], target: [-1], expected: [24]),
    Reshape(shape: [2, 3, 4], target: [4, 0, 2], expected: [4, 3, 2]),
    Reshape(shape: [2, 3, 4], target: [-1, -1]),
    Reshape(shape: [2, 3, 4], target: [5, -1]),
    Reshape(shape: [2, 3, 4], target: [24, 1, 1, 0]),
    Reshape(shape: [2, 0], target: [0, 0], expected: [2, 0]),
    Reshape(shape: [2, 0], target: [0, 7], allowsZero: 1, expected: [0, 7]),
    Reshape(shape: [2, 3], target: [0, -1], allowsZero: 1),
    Reshape(shape: [2, 3], target: [-2, -3]),
    Reshape(shape: [2, 3], target: [.max, .max]),
    Reshape(shape: [1], target: [1 << 62, 0, -1], allowsZero: 1),
  ]

  @Test(arguments: reshapeRows)
  private func reshapes(row: Reshape) {
    var node = ONNXFile.Node()
    node.attributes["allowzero"] = ONNXFile.Attribute(integer: row.allowsZero)
    #expect(ONNXShapes.reshaped(row.shape, to: row.target, node) == row.expected)
  }

  /// Extents of 0 do not make the others fit.
  @Test func counts() {
    #expect(ONNXConstant.count([]) == 1)
    #expect(ONNXConstant.count([3, 4]) == 12)
    #expect(ONNXConstant.count([0, 4]) == 0)
    for shape in [
      [-1, 4], [1 << 30, 2], [0, 1 << 40, 1 << 40], [Int](repeating: 1, count: 17), [.min, 0],
    ] {
      #expect(ONNXConstant.count(shape) == nil)
    }
  }

  @Test func inputsAreImagesByTheirShape() {
    func sizes(_ shape: [Int?]) -> [Int]? {
      ONNXLayout(inputShape: shape).map { [$0.extent.channels, $0.extent.height, $0.extent.width] }
    }
    #expect(sizes([nil, 1, 28, 30]) == [1, 28, 30])
    #expect(sizes([1, 28, 30, 1]) == [1, 28, 30])
    #expect(sizes([nil, 28, 30, 3]) == [3, 28, 30])
    #expect(sizes([nil, 28, 30]) == [1, 28, 30])
    #expect(sizes([nil, 784]) == [1, 28, 28])
    #expect(sizes([nil, 3072]) == [3, 32, 32])
    #expect(sizes([nil, 7]) == [1, 1, 7])
    #expect(sizes([nil, 300, 2, 8]) == nil)
    #expect(sizes([nil, 1, nil, 28]) == nil)
    #expect(sizes([nil, 1, 70_000, 1]) == nil)
    #expect(sizes([nil, 200, 60_000, 60_000]) == nil)
    #expect(sizes([nil]) == nil && sizes([]) == nil && sizes([1, 1, 1, 1, 1]) == nil)
  }

  /// The order of a vector that was flattened as rows, columns, channels.
  @Test func flattenedOrders() throws {
    let image = ONNXLayout(image: Extent3(channels: 2, height: 2, width: 3))
    let last = try #require(image.transposed([0, 2, 3, 1]))
    #expect(last.shape == [1, 2, 3, 2] && !last.isImage && last.channelAxis == 2)
    let vector = try #require(last.reshaped([1, 12]))
    #expect(vector.vectorPlaces == [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11])
    #expect(vector.reshaped([1, 2, 3, 2])?.transposed([0, 3, 1, 2])?.isImage == true)
    #expect(image.reshaped([1, 12])?.vectorPlaces == nil)
    #expect(image.reshaped([1, 4, 3]) != nil && image.reshaped([1, 3, 4]) == nil)
    #expect(image.reshaped([2, 6]) == nil && image.transposed([1, 0, 2, 3]) == nil)
    #expect(image.averaged(over: [2, 3], keepsAxes: false)?.shape == [1, 2])
    #expect(last.averaged(over: [1, -2], keepsAxes: true)?.shape == [1, 1, 1, 2])
    #expect(image.averaged(over: [1, 2, 3], keepsAxes: true) == nil)
    #expect(image.averaged(over: [0, 2, 3], keepsAxes: true) == nil)
    #expect(
      image.averaged(over: [2], keepsAxes: true) == nil
        && image.averaged(over: [9, 2, 3], keepsAxes: true) == nil)
  }
}
