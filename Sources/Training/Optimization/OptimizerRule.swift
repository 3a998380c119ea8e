/// How a step follows from the gradient.
public enum OptimizerRule: Hashable, Sendable, Codable {
  /// v = momentum · v + g; w -= rate · v, or rate · (g + momentum · v) with Nesterov (Sutskever et al., 2013).
  case sgd(momentum: Float, nesterov: Bool)
  /// Kingma and Ba, 2015. Weight decay is added to the gradient (L2), as in the paper's time.
  case adam(beta1: Float, beta2: Float, epsilon: Float)
  /// Adam with decoupled weight decay (Loshchilov and Hutter, 2019).
  case adamW(beta1: Float, beta2: Float, epsilon: Float)

  /// Adam with the settings of its paper.
  public static let usualAdam = OptimizerRule.adam(beta1: 0.9, beta2: 0.999, epsilon: 1e-8)
  /// AdamW with the settings of Adam's paper.
  public static let usualAdamW = OptimizerRule.adamW(beta1: 0.9, beta2: 0.999, epsilon: 1e-8)

  /// State values a parameter: momentum, or first and second moment.
  var stateCount: Int {
    switch self {
    case .sgd(let momentum, _): momentum == 0 ? 0 : 1
    case .adam, .adamW: 2
    }
  }
}

/// A rule with what applies to each of them.
public struct OptimizerSettings: Hashable, Sendable, Codable {
  public var rule: OptimizerRule
  /// How strongly weights are pulled to 0; biases and the scales of batch normalisation are left alone.
  /// Decoupled, w -= rate · decay · w, but for `adam`.
  public var weightDecay: Float
  /// The largest allowed Euclidean norm of the whole gradient; longer ones are scaled down to it.
  public var gradientClip: Float?

  public init(rule: OptimizerRule, weightDecay: Float = 0, gradientClip: Float? = nil) {
    self.rule = rule
    self.weightDecay = weightDecay
    self.gradientClip = gradientClip
  }
}
