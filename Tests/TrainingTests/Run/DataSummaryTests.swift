import Datasets
import Foundation
import Tensors
import Testing

@testable import Training

@Suite final class DataSummaryTests {
  private let path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString).json"

  deinit { unlink(path) }

  private func write(_ summary: DataSummary) throws {
    try JSONEncoder().encode(summary).write(to: URL(fileURLWithPath: path))
  }

  private let summary = DataSummary(
    Dataset(
      shape: ImageShape(channels: 1, height: 1, width: 2), pixels: [0, 255, 0, 0, 0, 255], labels: [0, 1, 1],
      classes: ClassTable(values: [3, 5]), source: "sample"),
    training: [0, 2], validation: [1], checksum: 0xAB)

  @Test func countsImagesAndPixels() throws {
    #expect(summary.trainingCount == 2 && summary.validationCount == 1 && summary.checksum == "000000ab")
    #expect(summary.classes.map(\.label) == [3, 5] && summary.classes.map(\.validationCount) == [0, 1])
    // Two of six pixels are 1: mean 1/3, deviation the root of 1/3 - 1/9; both of a few operations in Double.
    #expect(abs(summary.meanPixel - 1 / 3.0) < 1e-15)
    #expect(abs(summary.pixelDeviation - (2 / 9.0).squareRoot()) < 1e-15)
    try write(summary)
    #expect(try DataSummary(contentsOf: path) == summary)
  }

  /// Counts that no run has, whose sum would be no number.
  @Test(arguments: [-1, .max, .min])
  func damageIsAnError(count: Int) throws {
    for part in [\DataSummary.Class.trainingCount, \.validationCount] {
      var damaged = summary
      damaged.classes[0][keyPath: part] = count
      try write(damaged)
      #expect(throws: FileError.self) { try DataSummary(contentsOf: self.path) }
    }
  }
}
