#if INKLING_KERNELS
  /// From the sums of an integer operation to its output.
  struct IntegerScaling {
    let weights: WeightTensor
    private let integers: Operation.IntegerScales
    private let activation: Operation.Activation
    private let bias: WeightTensor?

    init(
      _ integers: Operation.IntegerScales, _ activation: Operation.Activation, weights: Int, bias: Int,
      _ network: Network
    ) {
      self.weights = network.tensor(weights)
      self.integers = integers
      self.activation = activation
      self.bias = bias == InkFormat.noTensor ? nil : network.tensor(bias)
    }

    var isStored: Bool { integers.output > 0 }

    func requantization(_ filter: Int) -> Requantization {
      Requantization(
        integers, weightScale: weights.scale(of: filter), bias: bias.map { $0.number(filter, 0) } ?? 0,
        activation)
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
