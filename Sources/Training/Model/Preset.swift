/// Networks with a name; the benchmarks use them too.
public enum Preset: String, CaseIterable, Sendable {
  /// One dense layer: multinomial logistic regression.
  case linear
  /// One hidden layer of 128.
  case mlp
  /// LeCun et al., "Gradient-based learning applied to document recognition", 1998, with ReLU and
  /// max-pooling: 61,706 parameters for 28×28 and ten classes.
  case lenet5
  /// The network of PyTorch's MNIST example: 1,199,882 parameters for 28×28 and ten classes.
  case cnn

  /// The layers in the form that `Architecture(input:parsing:)` reads.
  public func text(classes: Int) -> String {
    switch self {
    case .linear: "dense \(classes)"
    case .mlp: "dense 128, relu, dense \(classes)"
    case .lenet5:
      "conv 5x5 6 same, relu, maxpool 2, conv 5x5 16, relu, maxpool 2, "
        + "dense 120, relu, dense 84, relu, dense \(classes)"
    case .cnn:
      "conv 3x3 32, relu, conv 3x3 64, relu, maxpool 2, dropout 0.25, "
        + "dense 128, relu, dropout 0.5, dense \(classes)"
    }
  }
}
