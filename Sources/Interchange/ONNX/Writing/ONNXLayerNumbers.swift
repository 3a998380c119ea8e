import Inference
import Training

/// The numbers that nodes take, which have to be there and of the right count.
extension ONNXLayers {
  /// The weights as floats, [rows, shape]; gives the name of the value that a node takes.
  mutating func addWeights(
    _ index: Int, rows: Int, shape: [Int], _ integers: Operation.IntegerScales?
  ) throws(InterchangeError) -> String {
    let columns = shape.reduce(1, *)
    guard tensors.indices.contains(index), tensors[index].rows == rows, tensors[index].columns == columns
    else {
      let found =
        tensors.indices.contains(index) ? "\(tensors[index].rows)×\(tensors[index].columns)" : "none"
      throw error("weights of \(rows)×\(columns)", found)
    }
    let matrix = tensors[index]
    if let integers {
      guard !matrix.scales.isEmpty else { throw error("weights of whole numbers", "floats") }
      guard bytes?.scale == integers.input else {
        throw error(
          "bytes of scale \(integers.input) to compute with",
          bytes.map { "bytes of scale \($0.scale)" } ?? "floats")
      }
    }
    if matrix.type == .int4, options.opset == .opset13 {
      throw error(
        "weights of at most opset 13, which has no int4", "int4", remedy: "write opset 21, or int8 weights")
    }
    let stored = graph.add(ONNXTensor(name("weights"), matrix, shape: [rows] + shape))
    switch matrix.type {
    case .float32: return stored
    case .float16: return addCast(stored, to: name("floats"))
    case .int8, .int4:
      let scales = graph.add(ONNXTensor(name("scales"), floats: matrix.scales, shape: [rows]))
      return graph.add(
        "DequantizeLinear", [stored, scales], to: name("floats"), [.init("axis", .integer(0))])
    }
  }

  mutating func addCast(_ input: String, to output: String) -> String {
    graph.add("Cast", [input], to: output, [.init("to", .integer(ONNXFormat.Element.float.rawValue))])
  }

  mutating func addBias(_ index: Int, rows: Int) throws(InterchangeError) -> [String] {
    guard index != InkFormat.noTensor else { return [] }
    return [
      graph.add(ONNXTensor(name("bias"), floats: try column(index, rows: rows, "a bias"), shape: [rows]))
    ]
  }

  func column(_ index: Int, rows: Int, _ what: String) throws(InterchangeError) -> [Float] {
    guard tensors.indices.contains(index), tensors[index].rows == rows, tensors[index].columns == 1 else {
      let found =
        tensors.indices.contains(index) ? "\(tensors[index].rows)×\(tensors[index].columns)" : "none"
      throw error("\(what) of \(rows)×1", found)
    }
    return tensors[index].values
  }

  func checkTensors() throws(InterchangeError) {
    guard tensors.count == network.tensors.count else {
      throw InterchangeError(
        "ONNX: expected the \(network.tensors.count) tensors of the network as stored, found \(tensors.count); "
          + "store each of them")
    }
  }
}
