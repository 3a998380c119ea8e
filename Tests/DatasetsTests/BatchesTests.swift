import Tensors
import Testing

@testable import Datasets

@Suite struct BatchesTests {
  private func dataset(_ count: Int) -> Dataset {
    Dataset(
      shape: ImageShape(channels: 1, height: 1, width: 2),
      pixels: (0..<count).flatMap { [UInt8(100 + $0), UInt8(155 - $0)] },
      labels: (0..<count).map { UInt16($0 % 2) },
      classes: ClassTable(values: [0, 1]), source: "test")
  }

  @Test func anEpochTakesEachMemberOnceInAnOrderOfItsOwn() {
    let batches = Batches(dataset(25), members: Array(3..<25), batchSize: 8, seed: 1)
    #expect(batches.stepsPerEpoch == 3)
    #expect((0..<3).map { batches.range(step: $0).count } == [8, 8, 6])
    let orders = (0..<3).map { batches.order(epoch: $0) }
    for order in orders { #expect(order.sorted() == Array(3..<25)) }
    #expect(Set(orders).count == 3)
    #expect(batches.order(epoch: 1) == orders[1])
    #expect(Batches(dataset(25), members: Array(3..<25), batchSize: 8, seed: 2).order(epoch: 1) != orders[1])
  }

  @Test func pixelsBecomeFractions() {
    let batches = Batches(dataset(25), members: [7], batchSize: 1, seed: 1)
    var output: [Float] = [0, 0]
    batches.fill(image: 7, epoch: 0, into: &output, scratch: nil)
    #expect(output == [107.0 / 255, 148.0 / 255])
  }

  @Test func augmentationDependsOnSeedEpochAndImage() throws {
    let augmentation = try Augmentation(noise: 0.2)
    func pixels(seed: UInt64, epoch: Int) -> [Float] {
      let data = dataset(25)
      let batches = Batches(data, members: [7], batchSize: 1, seed: seed, augmentation: augmentation)
      var output: [Float] = [0, 0]
      batches.fill(image: 7, epoch: epoch, into: &output, scratch: AugmentationScratch(shape: data.shape))
      return output
    }
    #expect(pixels(seed: 1, epoch: 1) == pixels(seed: 1, epoch: 1))
    #expect(pixels(seed: 1, epoch: 1) != pixels(seed: 1, epoch: 2))
    #expect(pixels(seed: 1, epoch: 1) != pixels(seed: 2, epoch: 1))
  }
}
