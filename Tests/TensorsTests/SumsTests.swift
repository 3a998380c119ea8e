import Testing

@testable import Tensors

@Suite struct SumsTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 31, 784])
  func agreeWithPlainLoops(count: Int) {
    var random = RandomStream(seed: 5, stream: .initialization)
    let a = (0..<count).map { _ in random.normal() }
    let b = (0..<count).map { _ in random.normal() }
    let total = a.reduce(0.0) { $0 + Double($1) }
    let squares = a.reduce(0.0) { $0 + (Double($1) - 0.5) * (Double($1) - 0.5) }
    let product = zip(a, b).reduce(0.0) { $0 + Double($1.0) * (Double($1.1) - 0.25) }
    // Float32 sums of `count` values of size about 1.
    let tolerance = 1e-6 * Double(count + 1)
    #expect(abs(Double(sum(a, count)) - total) <= tolerance)
    #expect(abs(Double(squaredDistance(a, from: 0.5, count)) - squares) <= 2 * tolerance)
    #expect(abs(Double(dot(a, b, center: 0.25, count)) - product) <= 2 * tolerance)
  }
}
