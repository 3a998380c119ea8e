import Datasets
import Tensors
import Testing

@testable import Training

@Suite struct TrainingDataTests {
  private func dataset(_ counts: [Int]) -> Dataset {
    let labels = counts.enumerated().flatMap { Array(repeating: UInt16($0), count: $1) }
    return Dataset(
      shape: ImageShape(channels: 1, height: 1, width: 1), pixels: labels.map { UInt8($0) }, labels: labels,
      classes: ClassTable(values: Array(counts.indices)), source: "test")
  }

  @Test func warnsOfOneClassAndOfRareOnes() {
    #expect(dataset([10]).warnings.count == 1)
    #expect(dataset([50, 50]).warnings.isEmpty)
    #expect(dataset([96, 4]).warnings.first?.contains("class 1 has only 4 of 100 images (4.0%)") == true)
    #expect(dataset([95, 5]).warnings.isEmpty)
    #expect(dataset([100, 0]).warnings.count == 1)
    // 47 even classes, as in EMNIST, are 2% each and no cause for alarm; a fifth of that is.
    #expect(dataset(Array(repeating: 100, count: 47)).warnings.isEmpty)
    #expect(dataset(Array(repeating: 100, count: 46) + [20]).warnings.count == 1)
  }

  @Test func balancedWeightsEvenOutTheClasses() {
    let data = dataset([30, 10, 0])
    let weights = data.balancedWeights(of: Array(0..<40))
    #expect(weights[2] == 1)
    #expect(abs(weights[0] * 30 - weights[1] * 10) < 1e-4)
  }

  @Test func theChecksumKnowsPixelsAndLabels() {
    let data = dataset([2, 1])
    #expect(data.checksum == dataset([2, 1]).checksum)
    #expect(data.checksum != dataset([1, 2]).checksum)
  }
}
