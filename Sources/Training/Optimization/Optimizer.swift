import Kernels
import Tensors

/// Applies gradients to a model's flat buffer; the state lies outside, [rule's values a parameter, trainable].
///
/// Each element's new value depends on its own numbers alone, so the bits do not depend on threads.
struct Optimizer {
  let settings: OptimizerSettings
  private let kernels: KernelSet
  private let chunks: [Chunk]
  private let trainableCount: Int

  /// A stretch of one slot, small enough to share out.
  private struct Chunk {
    let range: Range<Int>
    let isDecayed: Bool
  }

  /// Values in a chunk: few enough for balance, enough to make a hand-over cheap.
  private static let chunkSize = 16_384

  init(_ settings: OptimizerSettings, table: ParameterTable, kernels: KernelSet = .current) {
    self.settings = settings
    self.kernels = kernels
    trainableCount = table.trainableCount
    chunks = table.slots.filter { $0.range.upperBound <= table.trainableCount }.flatMap { slot in
      stride(from: slot.range.lowerBound, to: slot.range.upperBound, by: Optimizer.chunkSize).map {
        Chunk(
          range: $0..<min($0 + Optimizer.chunkSize, slot.range.upperBound), isDecayed: slot.isDecayed)
      }
    }
  }

  /// Values of state that the rule needs for this model.
  var stateCount: Int { settings.rule.stateCount * trainableCount }

  /// What holds for all parameters in one step.
  struct Step {
    /// From 0.
    let number: Int
    let rate: Float
    /// What the gradient is multiplied by, so that its norm stays within the limit.
    let scale: Float
  }

  /// A step along `gradient`; it is then applied chunk by chunk.
  func step(_ number: Int, rate: Float, gradient: UnsafePointer<Float>) -> Step {
    Step(number: number, rate: rate, scale: clipFactor(gradient))
  }

  var chunkCount: Int { chunks.count }

  /// Updates the parameters of one chunk, whatever the order of chunks.
  func apply(
    _ step: Step, chunk index: Int, values: UnsafeMutablePointer<Float>, gradient: UnsafePointer<Float>,
    state: UnsafeMutablePointer<Float>
  ) {
    let chunk = chunks[index]
    let decay = chunk.isDecayed ? settings.weightDecay : 0
    let (start, count) = (chunk.range.lowerBound, chunk.range.count)
    let (w, g, s) = (values + start, gradient + start, state + start)
    let (rate, scale) = (step.rate, step.scale)
    switch settings.rule {
    case .sgd(let momentum, let nesterov):
      let keep = 1 - rate * decay
      if momentum == 0 {
        for i in 0..<count { w[i] = w[i] * keep - rate * (scale * g[i]) }
      } else {
        kernels.run(
          InklingMomentum(
            count: count, gradient: g, values: w, velocity: s, scale: scale, keep: keep, rate: rate,
            momentum: momentum, isNesterov: nesterov ? 1 : 0))
      }
    case .adam(let beta1, let beta2, let epsilon):
      let correction = BiasCorrection(beta1: beta1, beta2: beta2, step: step.number, rate: rate)
      kernels.run(
        InklingMoments(
          count: count, gradient: g, values: w, first: s, second: s + trainableCount, scale: scale, keep: 1,
          decay: decay, beta1: beta1, beta2: beta2, size: correction.size, spread: correction.spread,
          epsilon: epsilon))
    case .adamW(let beta1, let beta2, let epsilon):
      let correction = BiasCorrection(beta1: beta1, beta2: beta2, step: step.number, rate: rate)
      kernels.run(
        InklingMoments(
          count: count, gradient: g, values: w, first: s, second: s + trainableCount, scale: scale,
          keep: 1 - rate * decay, decay: 0, beta1: beta1, beta2: beta2, size: correction.size,
          spread: correction.spread, epsilon: epsilon))
    }
  }

  /// What the gradient is multiplied by so that its norm stays within the limit.
  private func clipFactor(_ gradient: UnsafePointer<Float>) -> Float {
    guard let limit = settings.gradientClip else { return 1 }
    // In Double and in a fixed order: the bits must not depend on threads.
    var squares = 0.0
    for chunk in chunks {
      squares += Double(squaredDistance(gradient + chunk.range.lowerBound, from: 0, chunk.range.count))
    }
    let norm = squares.squareRoot()
    return norm > Double(limit) ? Float(Double(limit) / norm) : 1
  }
}

/// What Adam's moments are scaled by in one step, so that their start at 0 does not count.
private struct BiasCorrection {
  /// rate / (1 - beta1ᵗ).
  let size: Float
  /// 1 / √(1 - beta2ᵗ).
  let spread: Float

  init(beta1: Float, beta2: Float, step: Int, rate: Float) {
    // In Double: 1 - beta2ᵗ has only a few bits left in Float.
    let (power1, power2) = (power(Double(beta1), step + 1), power(Double(beta2), step + 1))
    size = Float(Double(rate) / (1 - power1))
    spread = Float(1 / (1 - power2).squareRoot())
  }
}

/// baseⁿ by squaring; the same bits everywhere.
private func power(_ base: Double, _ exponent: Int) -> Double {
  var (result, square, rest) = (1.0, base, exponent)
  while rest > 0 {
    if rest & 1 == 1 { result *= square }
    square *= square
    rest >>= 1
  }
  return result
}
