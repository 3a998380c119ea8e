import Tensors

/// How weights are drawn before training; biases start at 0, scales at 1.
public enum Initialization: String, CaseIterable, Codable, Sendable {
  /// Normal with variance 2 / fan-in (He, Zhang, Ren, Sun, 2015): right for ReLU.
  case he
  /// Uniform within ±√(6 / (fan-in + fan-out)) (Glorot and Bengio, 2010).
  case glorot
  /// An orthogonal matrix [out, in · kernel], times √2 for ReLU (Saxe, McClelland, Ganguli, 2014).
  case orthogonal
}

extension Model {
  /// A fresh model; the draw of each array depends only on the seed and the array's place in the table.
  ///
  /// Throws `DecompositionError` if orthogonal initialisation fails, which LAPACK does not do on finite draws.
  public init(
    architecture: Architecture, initialization: Initialization = .he, seed: UInt64
  ) throws(DecompositionError) {
    let table = ParameterTable(architecture)
    self.init(architecture: architecture, values: Array(repeating: 0, count: table.count))
    for index in table.slots.indices {
      try initialize(slot: index, initialization, seed: seed)
    }
  }

  /// Draws one slot afresh.
  mutating func initialize(
    slot index: Int, _ initialization: Initialization, seed: UInt64
  ) throws(DecompositionError) {
    let slot = table.slots[index]
    switch slot.role {
    case .bias: fill(slot.range, with: 0)
    case .scale: fill(slot.range, with: 1)
    case .state(let initial): fill(slot.range, with: initial)
    case .weight(let fanIn, let fanOut):
      var random = RandomStream(seed: seed, stream: .initialization, index: index)
      switch initialization {
      case .he:
        let deviation = (2 / Float(fanIn)).squareRoot()
        for i in slot.range { values[i] = deviation * random.normal() }
      case .glorot:
        let limit = (6 / Float(fanIn + fanOut)).squareRoot()
        for i in slot.range { values[i] = random.uniform(in: -limit...limit) }
      case .orthogonal:
        let rows = slot.shape[0]
        let matrix = try Tensor.orthogonal(rows: rows, columns: slot.range.count / rows, using: &random)
        let gain = Float(2).squareRoot()
        values.replaceSubrange(slot.range, with: matrix.elements.map { gain * $0 })
      }
    }
  }

  private mutating func fill(_ range: Range<Int>, with value: Float) {
    for i in range { values[i] = value }
  }
}
