import Tensors

/// What can be trained: a closed list, so that whoever lowers or exports a network handles every kind.
public enum Layer: Hashable, Sendable {
  case convolution(Convolution)
  case dense(Dense)
  case rectifier(Rectifier)
  case pool(Pool)
  case globalAveragePool(GlobalAveragePool)
  case batchNormalization(BatchNormalization)
  case dropout(Dropout)
  case flatten(Flatten)

  /// The layer's own rules, whatever its kind.
  var rule: any LayerRule {
    switch self {
    case .convolution(let rule): rule
    case .dense(let rule): rule
    case .rectifier(let rule): rule
    case .pool(let rule): rule
    case .globalAveragePool(let rule): rule
    case .batchNormalization(let rule): rule
    case .dropout(let rule): rule
    case .flatten(let rule): rule
    }
  }

  /// The most values that a layer's output for one image, or its parameters, may have: far more than a small
  /// image classifier needs, and few enough that no size overflows and memory is not exhausted by a typing slip.
  static let largestCount = 100_000_000

  /// The extent of the output, or why the layer cannot take such an input or would be too large.
  func checkedOutputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape {
    let output = try rule.outputShape(for: input)
    let arrays = [output.extents] + rule.parameters(for: input).map(\.shape)
    for array in arrays where Layer.isTooLarge(array) {
      throw LayerMisfit(
        reason: "it would need more than 100 million values, \(array.map(String.init).joined(separator: "×"))"
      )
    }
    guard rule.scratchCount(from: input, to: output) <= Layer.largestCount else {
      throw LayerMisfit(reason: "its kernel is too large for such an input")
    }
    return output
  }

  static func isTooLarge(_ extents: [Int]) -> Bool {
    var count = 1
    for extent in extents {
      let (product, overflows) = count.multipliedReportingOverflow(by: extent)
      if overflows || product > largestCount { return true }
      count = product
    }
    return false
  }

  var batchNormalization: BatchNormalization? {
    if case .batchNormalization(let rule) = self { rule } else { nil }
  }
}

extension Layer: CustomStringConvertible {
  /// The text that `Architecture(parsing:)` reads, such as `conv 3x3 32`.
  public var description: String { rule.description }
}

/// What every kind of layer says of itself; forward and backward stand side by side in its file.
protocol LayerRule: Hashable, Sendable, CustomStringConvertible {
  /// The extent of the output, or why the layer cannot take such an input.
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape

  /// The layer's parameters, in the order in which they lie in memory.
  func parameters(for input: ImageShape) -> [Parameter]

  /// Multiply-adds for one image in the forward pass.
  func multiplyAdds(from input: ImageShape, to output: ImageShape) -> Int

  /// Whether output and input share memory; backward then needs neither but the output.
  var isInPlace: Bool { get }

  /// Bytes an image that forward leaves for backward, beyond input and output.
  func savedByteCount(from input: ImageShape, to output: ImageShape) -> Int

  /// Values of scratch memory that a worker needs, whatever the number of images.
  func scratchCount(from input: ImageShape, to output: ImageShape) -> Int

  /// Computes `pass.output` from `pass.input`.
  func forward(_ pass: LayerPass)

  /// Computes the gradients of parameters and, where it is asked for, of the input.
  func backward(_ pass: LayerPass, _ gradients: LayerGradients)
}

extension LayerRule {
  func parameters(for input: ImageShape) -> [Parameter] { [] }
  func multiplyAdds(from input: ImageShape, to output: ImageShape) -> Int { 0 }
  var isInPlace: Bool { false }
  func savedByteCount(from input: ImageShape, to output: ImageShape) -> Int { 0 }
  func scratchCount(from input: ImageShape, to output: ImageShape) -> Int { 0 }
}

/// Why a layer does not fit what comes before it.
struct LayerMisfit: Error {
  let reason: String
}

/// One array of numbers that belongs to a layer.
struct Parameter: Sendable {
  enum Role: Sendable {
    /// Drawn at random; `fanIn` and `fanOut` count the connections of one output and one input.
    case weight(fanIn: Int, fanOut: Int)
    /// Starts at 0.
    case bias
    /// The scale of batch normalisation; starts at 1.
    case scale
    /// A running statistic: changed by forward in training, not by the optimiser.
    case state(initial: Float)
  }

  let name: String
  /// Row-major: OIHW for a convolution, [out, in] for a dense layer.
  let shape: [Int]
  let role: Role

  var count: Int { shape.reduce(1, *) }

  var isState: Bool {
    if case .state = role { true } else { false }
  }

  /// Weight decay pulls at weights alone: pulling at biases or scales only hurts.
  var isDecayed: Bool {
    if case .weight = role { true } else { false }
  }
}
