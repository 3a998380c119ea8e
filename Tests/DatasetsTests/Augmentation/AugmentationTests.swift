import Tensors
import Testing

@testable import Datasets

/// A ring with a tail, off centre and in greys, so that no symmetry hides a wrong direction.
private func pattern(_ shape: ImageShape) -> [UInt8] {
  (0..<shape.count).map { i in
    let (x, y) = (Float(i % shape.width), Float(i / shape.width % shape.height))
    let (dx, dy) = (x - Float(shape.width) * 0.45, y - Float(shape.height) * 0.4)
    let distance = (dx * dx + dy * dy).squareRoot() - Float(min(shape.width, shape.height)) * 0.18
    let tail = dx > 0 && dy > 0 && dx < 5 && dy < 9
    return UInt8(max(0, min(255, tail ? 200 : 320 - 110 * abs(distance))))
  }
}

private func augmented(
  _ augmentation: Augmentation, _ shape: ImageShape, seed: UInt64 = 1, epoch: Int = 0, index: Int = 0,
  scratch: AugmentationScratch
) -> [Float] {
  let pixels = pattern(shape)
  var output = [Float](repeating: .nan, count: shape.count)
  augmentation.apply(
    to: pixels, shape: shape, output: &output, seed: seed, epoch: epoch, index: index, scratch: scratch)
  return output
}

private let digit = ImageShape(channels: 1, height: 28, width: 28)
private let shapes = [
  digit, ImageShape(channels: 1, height: 1, width: 1), ImageShape(channels: 5, height: 7, width: 3),
  ImageShape(channels: 3, height: 32, width: 33), ImageShape(channels: 1, height: 1, width: 40),
]

@Suite struct AugmentationTests {
  @Test(arguments: shapes) func noneScalesAndNothingElse(shape: ImageShape) {
    let output = augmented(.none, shape, scratch: AugmentationScratch(shape: shape))
    #expect(output == pattern(shape).map { Float($0) / 255 })
  }

  @Test(arguments: shapes) func everyShapeStaysInRange(shape: ImageShape) throws {
    let strongest = try Augmentation(
      rotation: 180, shift: 9, zoom: 0.9, shear: 80, elastic: 50, elasticSigma: 20, thickness: 3, noise: 1)
    let scratch = AugmentationScratch(shape: shape)
    for index in 0..<8 {
      for augmentation in [.standard, strongest] {
        let output = augmented(augmentation, shape, index: index, scratch: scratch)
        #expect(output.allSatisfy { 0...1 ~= $0 })
      }
    }
  }

  @Test(arguments: shapes) func nothingIsWrittenPastTheImage(shape: ImageShape) throws {
    let augmentation = try Augmentation(parsing: "standard, noise 0.1")
    var output = [Float](repeating: -1, count: shape.count + 16)
    augmentation.apply(
      to: pattern(shape), shape: shape, output: &output, seed: 1, epoch: 0, index: 0,
      scratch: AugmentationScratch(shape: shape))
    #expect(output[..<shape.count].allSatisfy { $0 >= 0 })
    #expect(output[shape.count...].allSatisfy { $0 == -1 })
  }

  @Test func aDrawDependsOnSeedEpochAndIndexAlone() throws {
    let augmentation = try Augmentation(parsing: "standard, noise 0.05")
    let scratch = AugmentationScratch(shape: digit)
    let first = augmented(augmentation, digit, seed: 3, epoch: 4, index: 5, scratch: scratch)
    #expect(first != augmented(augmentation, digit, seed: 2, epoch: 4, index: 5, scratch: scratch))
    #expect(first != augmented(augmentation, digit, seed: 3, epoch: 5, index: 5, scratch: scratch))
    #expect(first != augmented(augmentation, digit, seed: 3, epoch: 4, index: 4, scratch: scratch))
    #expect(first == augmented(augmentation, digit, seed: 3, epoch: 4, index: 5, scratch: scratch))
    // What another σ left behind in the scratch changes nothing.
    _ = augmented(try Augmentation(elastic: 2, elasticSigma: 2), digit, scratch: scratch)
    #expect(first == augmented(augmentation, digit, seed: 3, epoch: 4, index: 5, scratch: scratch))
  }

  @Test func oneSettingLeavesTheDrawsOfOthersAlone() throws {
    var alone = RandomStream(seed: 1, stream: .augmentation)
    var together = alone
    let rotation = try Augmentation(rotation: 10).drawMotion(from: &alone).rotation
    let more = try Augmentation(rotation: 10, shift: 2, zoom: 0.1)
    #expect(more.drawMotion(from: &together).rotation == rotation)
  }

  @Test func drawsFillTheirRangesAndCentreOnNoChange() {
    let standard = Augmentation.standard
    let motions = (0..<2000).map { index in
      var random = RandomStream(seed: 1, stream: .augmentation, index: index)
      return standard.drawMotion(from: &random)
    }
    let settings: [(draw: (Augmentation.Motion) -> Float, range: Float)] = [
      (\.rotation, standard.rotation), (\.shear, standard.shear), ({ $0.zoom - 1 }, standard.zoom),
      (\.shiftX, standard.shift), (\.shiftY, standard.shift), (\.thickness, standard.thickness),
    ]
    for (draw, range) in settings {
      let values = motions.map(draw)
      // The mean of 2000 uniform draws has a standard deviation of 0.013 of the range.
      #expect(abs(values.reduce(0, +) / 2000) < 0.05 * range)
      #expect(values.allSatisfy { abs($0) <= range * 1.000_01 })
      #expect(values.contains { $0 < -0.95 * range } && values.contains { $0 > 0.95 * range })
    }
  }

  @Test func standardRoughlyKeepsTheInk() {
    let scratch = AugmentationScratch(shape: digit)
    let before = pattern(digit).reduce(0) { $0 + Float($1) / 255 }
    let ratios = (0..<100).map { index in
      augmented(.standard, digit, index: index, scratch: scratch).reduce(0, +) / before
    }
    // Zoom by ±10 % changes the ink by ±20 %, thickness a stroke of about 3 pixels by as much again.
    #expect(ratios.allSatisfy { 0.5...1.6 ~= $0 })
    #expect(0.93...1.07 ~= ratios.reduce(0, +) / 100)
  }

  @Test func channelsMoveAlike() throws {
    let shape = ImageShape(channels: 2, height: 12, width: 12)
    let output = augmented(.standard, shape, scratch: AugmentationScratch(shape: shape))
    #expect(Array(output[..<144]) == Array(output[144...]))
    #expect(output.contains { $0 > 0 })
  }
}
