import Foundation
import Tensors
import Testing

@testable import Datasets

/// The digits that come with the repository are what their README says.
@Suite struct ShippedDigitsTests {
  private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Data/mnist-5k").standardizedFileURL.path

  @Test func eachClassHasItsShareAndNoDigitIsInBothParts() throws {
    let training = try DatasetSource(folder: folder).load(.training)
    let test = try DatasetSource(folder: folder).load(.test, classes: training.classes)
    for (data, share) in [(training, 400), (test, 100)] {
      #expect(data.shape == ImageShape(channels: 1, height: 28, width: 28))
      #expect(data.classes.values == Array(0...9))
      for label in 0..<UInt16(10) { #expect(data.labels.count { $0 == label } == share) }
    }
    func images(_ data: Dataset) -> Set<ArraySlice<UInt8>> {
      Set((0..<data.count).map { data.pixels[$0 * 784..<($0 + 1) * 784] })
    }
    #expect(images(training).isDisjoint(with: images(test)))
  }
}
