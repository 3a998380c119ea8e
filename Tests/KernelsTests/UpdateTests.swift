import Kernels
import Tensors
import Testing

/// The optimisers' steps, that do not fuse: each set gives the same bits, and rounds a few times on the way.
@Suite struct UpdateTests {
  /// About eight roundings of 2⁻²⁴ on numbers of size up to 4, and rest for a sum that cancels.
  private let tolerance = 4e-6

  @Test(arguments: KernelSet.tested, [false, true])
  func momentumAgreesWithThePlainLoop(kernels: KernelSet, isNesterov: Bool) {
    for count in 1...40 {
      let found = momentum(kernels, count, isNesterov)
      let (gradient, values, velocity) = start(count)
      for i in 0..<count {
        let scaled = 0.5 * Double(gradient[i])
        let moved = 0.9 * Double(velocity[i]) + scaled
        let step = isNesterov ? scaled + 0.9 * moved : moved
        #expect(abs(Double(found[1][i]) - moved) < tolerance)
        #expect(abs(Double(found[0][i]) - (Double(values[i]) * 0.99 - 0.1 * step)) < tolerance)
      }
      #expect(found.map(bits) == momentum(KernelSet.tested[0], count, isNesterov).map(bits))
    }
  }

  @Test(arguments: KernelSet.tested, [0, 0.01] as [Float])
  func momentsAgreeWithThePlainLoop(kernels: KernelSet, decay: Float) {
    for count in 1...40 {
      let found = moments(kernels, count, decay)
      let (gradient, values, first) = start(count)
      for i in 0..<count {
        let g = 0.5 * Double(gradient[i]) + Double(decay) * Double(values[i])
        let mean = 0.9 * Double(first[i]) + 0.1 * g
        let square = 0.99 * Double(abs(first[i])) + 0.01 * g * g
        let step = 0.01 * mean / (square.squareRoot() * 1.5 + 1e-3)
        #expect(abs(Double(found[1][i]) - mean) < tolerance)
        #expect(abs(Double(found[2][i]) - square) < tolerance)
        #expect(abs(Double(found[0][i]) - (Double(values[i]) * 0.98 - step)) < tolerance)
      }
      #expect(found.map(bits) == moments(KernelSet.tested[0], count, decay).map(bits))
    }
  }

  private func start(_ count: Int) -> (gradient: [Float], values: [Float], mean: [Float]) {
    (normalValues(count, seed: 1), normalValues(count, seed: 2), normalValues(count, seed: 3))
  }

  private func bits(_ values: [Float]) -> [UInt32] { values.map(\.bitPattern) }

  /// Values and velocity after a step.
  private func momentum(_ kernels: KernelSet, _ count: Int, _ isNesterov: Bool) -> [[Float]] {
    let start = start(count)
    let (gradient, values, velocity) = (
      FencedMemory(start.gradient), FencedMemory(start.values), FencedMemory(start.mean)
    )
    kernels.run(
      InklingMomentum(
        count: count, gradient: gradient.start, values: values.start, velocity: velocity.start, scale: 0.5,
        keep: 0.99, rate: 0.1, momentum: 0.9, isNesterov: isNesterov ? 1 : 0))
    #expect(values.isIntact && velocity.isIntact)
    return [values.values, velocity.values]
  }

  /// Values and both moments after a step.
  private func moments(_ kernels: KernelSet, _ count: Int, _ decay: Float) -> [[Float]] {
    let start = start(count)
    let (gradient, values) = (FencedMemory(start.gradient), FencedMemory(start.values))
    let (first, second) = (FencedMemory(start.mean), FencedMemory(start.mean.map { abs($0) }))
    kernels.run(
      InklingMoments(
        count: count, gradient: gradient.start, values: values.start, first: first.start,
        second: second.start, scale: 0.5, keep: 0.98, decay: decay, beta1: 0.9, beta2: 0.99, size: 0.01,
        spread: 1.5, epsilon: 1e-3))
    #expect(values.isIntact && first.isIntact && second.isIntact)
    return [values.values, first.values, second.values]
  }
}
