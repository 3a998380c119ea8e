/// How a model is written as an ONNX file.
public struct ONNXOptions: Hashable, Sendable {
  /// What the elements of the image are; both go from 0 to 255, since the scaling is inside.
  public enum Input: String, CaseIterable, Sendable {
    case uint8, float
  }

  /// The version of the operators that the file asks for.
  public enum Opset: Int, CaseIterable, Sendable {
    /// For old runtimes: ONNX 1.8 and ONNX Runtime 1.7 (2021), the first with a scale for each channel.
    case opset13 = 13
    /// For all since ONNX 1.16 and ONNX Runtime 1.18 (2024), the first with four-bit weights. What is written means the
    /// same in every later one.
    case opset21 = 21

    /// The version of the file's layout that came with these operators.
    public var irVersion: Int {
      switch self {
      case .opset13: 7
      case .opset21: 10
      }
    }
  }

  public var input: Input
  public var opset: Opset
  /// The name of the input.
  public var imageName: String
  /// The names of the outputs.
  public var probabilitiesName: String
  public var labelName: String

  public init(
    input: Input = .uint8, opset: Opset = .opset21, imageName: String = "image",
    probabilitiesName: String = "probabilities", labelName: String = "label"
  ) {
    self.input = input
    self.opset = opset
    self.imageName = imageName
    self.probabilitiesName = probabilitiesName
    self.labelName = labelName
  }

  /// Names of values in a graph have to differ; those within it have a slash.
  func check() throws(InterchangeError) {
    let names = [imageName, probabilitiesName, labelName]
    if let name = names.first(where: { $0.isEmpty || $0.contains("/") }) {
      throw InterchangeError(
        "ONNX: expected names of input and outputs without a slash, found \"\(name)\"; choose another one")
    }
    guard Set(names).count == names.count else {
      throw InterchangeError(
        "ONNX: expected three names of input and outputs, found \(names.joined(separator: ", ")); "
          + "let each differ")
    }
  }
}
