import Tensors
import Testing

@testable import Training

@Suite struct DropoutTests {
  private let input = ImageShape(channels: 100, height: 10, width: 10)

  @Test func keepsTheMeanAndTheStatedShare() throws {
    let single = try SingleLayer("dropout 0.25", input: input, count: 1)
    let y = single.forward(Array(repeating: 1, count: input.count), [])
    let kept = y.count { $0 != 0 }
    #expect(y.allSatisfy { $0 == 0 || abs($0 - 4.0 / 3) < 1e-6 })
    // Five standard deviations of a binomial draw of 10,000 at 0.75.
    #expect(abs(Double(kept) - 7500) < 5 * 43.3)
  }

  @Test(arguments: ["0.99999", "0.9999999"])
  func anExtremeRateStaysFiniteAndKeepsTheMean(rate: String) throws {
    let single = try SingleLayer("dropout \(rate)", input: input, count: 20)
    let y = single.forward(Array(repeating: 1, count: 20 * input.count), [])
    // At most 2¹⁶, for the one in 65,536 that stays: a mean of 1 over 200,000 values, give or take 0.6.
    #expect(y.allSatisfy { $0 == 0 || $0 == 0x1p16 })
    #expect((0.2...2.5).contains(y.reduce(0, +) / Float(y.count)))
  }

  @Test func drawsDifferByStepAndImageAndRepeat() throws {
    let single = try SingleLayer("dropout 0.5", input: input, count: 2)
    let ones = [Float](repeating: 1, count: 2 * input.count)
    let first = single.forward(ones, [], step: 0)
    #expect(first == single.forward(ones, [], step: 0))
    #expect(first != single.forward(ones, [], step: 1))
    #expect(first[..<input.count] != first[input.count...])
  }

  @Test func evaluationChangesNothing() throws {
    let single = try SingleLayer("dropout 0.5", input: input, count: 1)
    let x = normalValues(input.count, seed: 1)
    #expect(single.forward(x, [], step: nil) == x)
  }
}
