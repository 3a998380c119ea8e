import PlainText

extension TrainingConfiguration {
  /// The settings in words, one pair each; what is off is left out.
  package var facts: [(name: String, value: String)] {
    var facts = [
      ("epochs", epochs.groupedDigits), ("batch", batchSize.of("image")), ("optimizer", "\(optimizer.rule)"),
      ("learning rate", "\(schedule)"), ("weight decay", "\(optimizer.weightDecay)"),
    ]
    if let clip = optimizer.gradientClip { facts.append(("gradient clipped to", "norm \(clip)")) }
    if let averageDecay { facts.append(("moving average of weights", "decay \(averageDecay)")) }
    if labelSmoothing > 0 { facts.append(("label smoothing", "\(labelSmoothing)")) }
    if balancesClasses { facts.append(("class weights", "by the inverse of the frequency")) }
    facts += [
      ("augmentation", "\(augmentation)"), ("initialization", initialization.rawValue),
      ("validation", validationCount.of("image")),
    ]
    if let patience { facts.append(("patience", patience.of("epoch"))) }
    return facts + [("seed", "\(seed)")]
  }
}

extension OptimizerRule: CustomStringConvertible {
  /// Such as "SGD, momentum 0.9".
  public var description: String {
    switch self {
    case .sgd(let momentum, let nesterov):
      "SGD" + (momentum == 0 ? "" : ", \(nesterov ? "Nesterov " : "")momentum \(momentum)")
    case .adam(let beta1, let beta2, _): "Adam, β \(beta1) and \(beta2)"
    case .adamW(let beta1, let beta2, _): "AdamW, β \(beta1) and \(beta2)"
    }
  }
}

extension Schedule: CustomStringConvertible {
  /// Such as "0.003, one cycle".
  public var description: String {
    let course =
      switch shape {
      case .constant: "constant"
      case .step(let epochs, let factor): "times \(factor) every \(epochs.of("epoch"))"
      case .cosine: "falling as a cosine"
      case .oneCycle: "at the top of one cycle"
      }
    return "\(learningRate), \(course)" + (warmUpEpochs > 0 ? ", warm-up \(warmUpEpochs) epochs" : "")
  }
}
