import Tensors
import Testing

@testable import Training

@Suite struct OptimizerTests {
  /// Two weights, then two biases, that weight decay leaves alone.
  private static func table() throws -> ParameterTable {
    ParameterTable(
      try Architecture(input: ImageShape(channels: 1, height: 1, width: 1), parsing: "dense 2"))
  }

  /// The values after steps with the given gradients.
  private func run(_ settings: OptimizerSettings, _ gradients: [[Float]], rate: Float = 0.1) throws -> [Float]
  {
    let optimizer = Optimizer(settings, table: try Self.table())
    var values: [Float] = [1, -2, 3, -4]
    var state = [Float](repeating: 0, count: max(1, optimizer.stateCount))
    for (step, gradient) in gradients.enumerated() {
      let taken = optimizer.step(step, rate: rate, gradient: gradient)
      for chunk in (0..<optimizer.chunkCount).reversed() {
        optimizer.apply(taken, chunk: chunk, values: &values, gradient: gradient, state: &state)
      }
    }
    return values
  }

  private func expectClose(_ found: [Float], _ expected: [Float]) {
    // A few Float32 operations on numbers of size about 1.
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(found)")
  }

  private let gradient: [Float] = [0.5, 1, -1, 2]

  @Test func plainSGD() throws {
    let settings = OptimizerSettings(rule: .sgd(momentum: 0, nesterov: false))
    expectClose(try run(settings, [gradient]), [0.95, -2.1, 3.1, -4.2])
  }

  @Test func momentumAddsUp() throws {
    let settings = OptimizerSettings(rule: .sgd(momentum: 0.5, nesterov: false))
    // Velocities g and 1.5 g: together 2.5 · 0.1 · g.
    expectClose(try run(settings, [gradient, gradient]), [0.875, -2.25, 3.25, -4.5])
  }

  @Test func nesterovLooksAhead() throws {
    let settings = OptimizerSettings(rule: .sgd(momentum: 0.5, nesterov: true))
    // (g + 0.5 g) and (g + 0.5 · 1.5 g): together 3.25 · 0.1 · g.
    expectClose(try run(settings, [gradient, gradient]), [0.8375, -2.325, 3.325, -4.65])
  }

  @Test func adamsFirstStepIsTheRate() throws {
    for rule in [
      OptimizerRule.adam(beta1: 0.9, beta2: 0.999, epsilon: 1e-8),
      .adamW(beta1: 0.9, beta2: 0.999, epsilon: 1e-8),
    ] {
      expectClose(try run(OptimizerSettings(rule: rule), [gradient]), [0.9, -2.1, 3.1, -4.1])
    }
  }

  @Test func decoupledDecayPullsAtWeightsOnly() throws {
    let zero: [Float] = [0, 0, 0, 0]
    for rule in [
      OptimizerRule.sgd(momentum: 0, nesterov: false), .sgd(momentum: 0.9, nesterov: true),
      .adamW(beta1: 0.9, beta2: 0.999, epsilon: 1e-8),
    ] {
      let settings = OptimizerSettings(rule: rule, weightDecay: 0.5)
      expectClose(try run(settings, [zero, zero]), [0.95 * 0.95, -2 * 0.95 * 0.95, 3, -4])
    }
  }

  @Test func adamTakesDecayIntoTheGradient() throws {
    let settings = OptimizerSettings(
      rule: .adam(beta1: 0.9, beta2: 0.999, epsilon: 1e-8), weightDecay: 0.5)
    // Whatever its size, the first gradient moves by the rate; here it is the decay's.
    expectClose(try run(settings, [[0, 0, 0, 0]]), [0.9, -1.9, 3, -4])
  }

  @Test func clippingKeepsTheDirection() throws {
    let rule = OptimizerRule.sgd(momentum: 0, nesterov: false)
    // The norm is √(9 + 16) = 5.
    let long: [Float] = [3, 0, 0, -4]
    expectClose(
      try run(OptimizerSettings(rule: rule, gradientClip: 1), [long], rate: 1), [0.4, -2, 3, -3.2])
    expectClose(
      try run(OptimizerSettings(rule: rule, gradientClip: 5), [long], rate: 1), [-2, -2, 3, 0])
  }

  @Test func theMovingAverageStartsQuicklyAndSettles() {
    var average: [Float] = [0, 10]
    MovingAverage(decay: 0.9).update(chunk: 0, of: &average, to: [1, 10], count: 2, step: 0)
    // The decay of step 0 is 1 / 10.
    expectClose(average, [0.9, 10])
    MovingAverage(decay: 0.9).update(chunk: 0, of: &average, to: [1.9, 10], count: 2, step: 1000)
    expectClose(average, [1, 10])
  }
}
