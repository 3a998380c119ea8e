/// One setting of `Augmentation`: its word in the text form, its unit and the amounts that make sense.
struct AugmentationEffect: Sendable {
  let name: String
  let unit: String
  let limits: ClosedRange<Float>
  /// The amount at which the text form leaves the word out.
  let unset: Float
  let amount: any WritableKeyPath<Augmentation, Float> & Sendable

  /// In the order of the canonical text.
  static let all = [
    AugmentationEffect(name: "rotate", unit: "degrees", limits: 0...180, amount: \.rotation),
    AugmentationEffect(name: "shift", unit: "pixels", limits: 0...1000, amount: \.shift),
    AugmentationEffect(name: "zoom", unit: "as a fraction", limits: 0...0.9, amount: \.zoom),
    AugmentationEffect(name: "shear", unit: "degrees", limits: 0...80, amount: \.shear),
    AugmentationEffect(name: "elastic", unit: "pixels", limits: 0...1000, amount: \.elastic),
    AugmentationEffect(
      name: "sigma", unit: "pixels", limits: Augmentation.sigmaLimits,
      unset: Augmentation.defaultSigma, amount: \.elasticSigma),
    AugmentationEffect(name: "thickness", unit: "pixels", limits: 0...10, amount: \.thickness),
    AugmentationEffect(name: "noise", unit: "as a fraction", limits: 0...1, amount: \.noise),
  ]

  init(
    name: String, unit: String, limits: ClosedRange<Float>, unset: Float = 0,
    amount: any WritableKeyPath<Augmentation, Float> & Sendable
  ) {
    self.name = name
    self.unit = unit
    self.limits = limits
    self.unset = unset
    self.amount = amount
  }

  /// What may stand after the word, for messages.
  var expectation: String {
    let (low, high) = (Self.text(limits.lowerBound), Self.text(limits.upperBound))
    return "a number from \(low) to \(high) (\(unit))"
  }

  func check(_ value: Float) throws(AugmentationError) {
    guard limits.contains(value) else {
      throw AugmentationError(word: name, expected: expectation, found: Self.text(value))
    }
  }

  /// The shortest text that reads back as the same number.
  static func text(_ value: Float) -> String {
    let full = "\(value)"
    return full.hasSuffix(".0") ? String(full.dropLast(2)) : full
  }
}
