import Testing

@testable import Training

@Suite struct ScheduleTests {
  private func rates(_ schedule: Schedule, stepsPerEpoch: Int = 10, epochs: Int = 4) -> [Float] {
    (0..<stepsPerEpoch * epochs).map { schedule.rate(step: $0, stepsPerEpoch: stepsPerEpoch, epochs: epochs) }
  }

  @Test func constantStays() {
    #expect(rates(Schedule(.constant, learningRate: 0.5)).allSatisfy { $0 == 0.5 })
  }

  @Test func stepFallsAfterItsEpochs() {
    let rates = rates(Schedule(.step(epochs: 2, factor: 0.25), learningRate: 0.5))
    #expect(rates[..<20].allSatisfy { $0 == 0.5 } && rates[20...].allSatisfy { $0 == 0.125 })
  }

  @Test func cosineGoesFromTheRateToNothing() {
    let rates = rates(Schedule(.cosine, learningRate: 0.5))
    #expect(rates[0] == 0.5)
    // Half-way through half a cosine.
    #expect(abs(rates[20] - 0.25) < 1e-6)
    #expect(rates[39] < 0.001)
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func oneCycleRisesAndFalls() {
    let rates = rates(Schedule(.oneCycle, learningRate: 0.5))
    #expect(abs(rates[0] - 0.02) < 1e-6)
    // The peak is at 30% of 40 steps.
    #expect(abs(rates[12] - 0.5) < 1e-6)
    #expect(rates.max() == rates[12])
    #expect(rates[39] < 0.005 && rates[39] > 0)
  }

  @Test(arguments: [Schedule.Shape.constant, .step(epochs: 1, factor: 0.5), .cosine, .oneCycle])
  func warmUpComesInFront(shape: Schedule.Shape) {
    let rates = rates(Schedule(shape, learningRate: 0.5, warmUpEpochs: 0.5))
    // It rises to where the shape begins, not above.
    let first = Schedule(shape, learningRate: 0.5).rate(step: 0, stepsPerEpoch: 10, epochs: 4)
    for step in 0..<5 { #expect(abs(rates[step] - first * Float(step + 1) / 6) < 1e-6) }
    #expect(rates[5] == first)
    #expect(rates.allSatisfy { $0 > 0 && $0 <= 0.5 })
  }

  @Test func aWarmUpLongerThanTheRunIsOnlyARise() {
    let rates = rates(Schedule(.cosine, learningRate: 0.5, warmUpEpochs: 1e30))
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 < $1 })
  }
}
