import Inference

/// A definition that the C source may need: a function, or a type. Only those that are called are written, since a
/// compiler warns of others.
enum CFunction: Hashable {
  case activationType, activate, activation
  case toFloats, toByte
  case half, nibble
  case reach
  case convolutionType, denseType, poolType
  /// Adds one weight times the pixels that it meets to the sums of a plane.
  case meet(Values)
  case convolution(TensorType, Arithmetic)
  case dense(TensorType, Arithmetic)
  case maximumPool(Values), averagePool
  case exponential, softmax
  case affine

  /// What activations are stored as.
  enum Values: String {
    case floats, bytes

    var type: String { self == .floats ? "float" : "uint8_t" }
    /// The type of the sums of products of them.
    var sum: String { self == .floats ? "float" : "int32_t" }
  }

  /// What a layer computes with: floats, or whole numbers that are handed on as bytes or as floats.
  enum Arithmetic: Hashable {
    case floats
    case integers(Values)

    var input: Values { self == .floats ? .floats : .bytes }

    var output: Values {
      if case .integers(let output) = self { output } else { .floats }
    }

    /// What a function for it has in its name.
    var suffix: String {
      switch self {
      case .floats: ""
      case .integers(let output): "_bytes_to_\(output)"
      }
    }
  }

  /// The name in C.
  var name: String {
    switch self {
    case .convolution(let type, let arithmetic): "convolve_\(type.cName)\(arithmetic.suffix)"
    case .dense(let type, let arithmetic): "dense_\(type.cName)\(arithmetic.suffix)"
    case .maximumPool(let values): "maximum_pool_\(values)"
    case .meet(let values): "meet_\(values)"
    default: "\(self)"
    }
  }

  /// What its text refers to.
  private var callees: [CFunction] {
    switch self {
    case .activationType, .toFloats, .toByte, .half, .nibble, .reach, .poolType, .exponential, .affine: []
    case .activate, .convolutionType, .denseType: [.activationType]
    case .activation: [.activate]
    case .meet: [.convolutionType, .reach]
    case .convolution(let type, let arithmetic):
      [.convolutionType, .meet(arithmetic.input)] + Self.callees(type, arithmetic)
    case .dense(let type, let arithmetic): [.denseType] + Self.callees(type, arithmetic)
    case .maximumPool, .averagePool: [.poolType]
    case .softmax: [.exponential]
    }
  }

  private static func callees(_ type: TensorType, _ arithmetic: Arithmetic) -> [CFunction] {
    let element: [CFunction] =
      switch type {
      case .float32, .int8: []
      case .float16: [.half]
      case .int4: [.nibble]
      }
    return element + [arithmetic.output == .bytes ? .toByte : .activate]
  }

  /// Each of the functions once, behind those that it calls.
  static func withThoseTheyCall(_ functions: [CFunction]) -> [CFunction] {
    var result: [CFunction] = []
    func add(_ function: CFunction) {
      if result.contains(function) { return }
      function.callees.forEach(add)
      result.append(function)
    }
    functions.forEach(add)
    return result
  }
}
