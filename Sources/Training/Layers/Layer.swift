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
    let memory = rule.memory(from: input, to: output)
    guard max(memory.scratch, memory.prepared, memory.shardGradient) <= Layer.largestCount else {
      throw LayerMisfit(reason: "it would need more than 100 million values to work with")
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

  /// How a shard's images are handed over.
  var grain: Grain { get }

  /// Whether output and input share memory.
  var isInPlace: Bool { get }

  /// Whether backward reads the layer's input, or its output.
  var backwardReadsInput: Bool { get }
  var backwardReadsOutput: Bool { get }

  /// The memory that the layer needs beside its input and output.
  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory

  /// Offsets that the layer's loops go by, worked out once for a shape.
  func tables(from input: ImageShape, to output: ImageShape) -> [Int32]

  /// Lays the parameters out for the kernels; called once a batch.
  func prepare(_ parameters: LayerParameters, for input: ImageShape, kernels: KernelSet)

  /// Computes `pass.output` from `pass.input`.
  func forward(_ pass: LayerPass)

  /// Computes the gradient by the input where it is asked for, and adds the gradient by the parameters to the shard's.
  func backward(_ pass: LayerPass, _ gradients: LayerGradients)

  /// Brings the sum of the shards' gradients into the order of the parameters.
  func conclude(
    shardGradient: UnsafePointer<Float>, into trainable: UnsafeMutablePointer<Float>, for input: ImageShape)

  /// The parts in which the gradient by the parameters is taken over the whole batch, shared out among workers; 0
  /// where shards add it up.
  func batchParts(for input: ImageShape) -> Int

  /// Computes one of these parts.
  func backward(part: Int, _ pass: BatchPass)
}

/// How a shard's images are handed to a layer.
enum Grain {
  /// One by one, so that each goes through several layers while it is in the cache.
  case image
  /// All at once, as a matrix or for statistics.
  case shard
  /// As the layer before takes them.
  case either
}

extension LayerRule {
  func parameters(for input: ImageShape) -> [Parameter] { [] }
  func multiplyAdds(from input: ImageShape, to output: ImageShape) -> Int { 0 }
  var grain: Grain { .image }
  var isInPlace: Bool { false }
  var backwardReadsInput: Bool { false }
  var backwardReadsOutput: Bool { false }
  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory { LayerMemory() }
  func tables(from input: ImageShape, to output: ImageShape) -> [Int32] { [] }
  func prepare(_ parameters: LayerParameters, for input: ImageShape, kernels: KernelSet) {}
  func conclude(
    shardGradient: UnsafePointer<Float>, into trainable: UnsafeMutablePointer<Float>, for input: ImageShape
  ) {}
  func batchParts(for input: ImageShape) -> Int { 0 }
  func backward(part: Int, _ pass: BatchPass) {}
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
