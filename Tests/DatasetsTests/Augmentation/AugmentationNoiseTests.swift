import Tensors
import Testing

@testable import Datasets

@Suite struct AugmentationNoiseTests {
  @Test func noiseHasTheStatedDeviation() {
    var random = RandomStream(seed: 1, stream: .augmentation)
    var values = [Float](repeating: 0.5, count: 9_999)
    Augmentation.addNoise(0.1, to: &values, count: values.count, from: &random)
    let mean = values.reduce(0, +) / 9_999
    let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 9_999).squareRoot()
    // Of 9,999 draws the mean has a standard deviation of 0.001, the deviation one of 0.0007.
    #expect(abs(mean - 0.5) < 0.004)
    #expect(abs(deviation - 0.1) < 0.003)
    // A Gaussian has 68.3 % within one deviation, a uniform distribution 57.7 %.
    let within = values.count { abs($0 - 0.5) < 0.1 }
    #expect(0.66...0.7 ~= Float(within) / 9_999)
    #expect(Set(values).count > 500)
  }

  @Test func noiseStopsAtPaperAndFullInkAndAtTheCount() {
    var random = RandomStream(seed: 1, stream: .augmentation)
    var values: [Float] = [0, 1, 0, 1, 0, 1, 7]
    Augmentation.addNoise(1, to: &values, count: 6, from: &random)
    #expect(values[..<6].allSatisfy { 0...1 ~= $0 })
    #expect(values[6] == 7)
  }
}
