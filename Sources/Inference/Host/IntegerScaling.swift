#if INKLING_KERNELS
  /// From the sums of an integer operation to its output.
  struct IntegerScaling {
    let weights: WeightTensor
    private let rule: Requantization
    private let bias: WeightTensor?

    init(
      _ integers: Operation.IntegerScales, _ activation: Operation.Activation, weights: Int, bias: Int,
      _ network: Network
    ) {
      self.weights = network.tensor(weights)
      rule = Requantization(integers, activation)
      self.bias = bias == InkFormat.noTensor ? nil : network.tensor(bias)
    }

    var isStored: Bool { rule.isStored }

    /// What a sum is multiplied by, and what is added.
    func requantization(_ filter: Int) -> (factor: Float, shift: Float) {
      (
        rule.factor(weightScale: weights.scale(of: filter)),
        rule.shift(bias: bias.map { $0.number(filter, 0) } ?? 0)
      )
    }

    /// Whether the largest output is that of the largest sum: every factor is finite and not below 0.
    var isMonotonic: Bool {
      (0..<weights.rows).allSatisfy {
        let scales = requantization($0)
        return scales.factor >= 0 && scales.factor.isFinite && scales.shift.isFinite
      }
    }
  }
#endif
