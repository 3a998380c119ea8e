import Tensors
import Testing

@testable import Datasets

private let shape = ImageShape(channels: 1, height: 9, width: 9)

/// A block of ink, rows and columns 3 to 5, after its edges moved.
private func block(thickenedBy distance: Float) -> [Float] {
  let scratch = AugmentationScratch(shape: shape)
  scratch.load((0..<81).map { 3...5 ~= $0 % 9 && 3...5 ~= $0 / 9 ? 255 : 0 })
  scratch.thicken(by: distance)
  return (0..<81).map { scratch.plane[($0 / 9 + 1) * 12 + $0 % 9 + 1] }
}

@Suite struct AugmentationThicknessTests {
  @Test(
    arguments: [
      (0, 9), (1, 21), (0.25, 12), (1.5, 29), (-1, 1), (-0.5, 5), (-2, 0), (10, 81),
    ] as [(Float, Float)])
  func edgesMove(distance: Float, ink: Float) {
    // Halves and quarters of 0 and 1 are exact. A cross adds 12 to a 3×3 block, then 16; it leaves the centre.
    #expect(block(thickenedBy: distance).reduce(0, +) == ink)
  }

  @Test func aFractionBlends() {
    let output = block(thickenedBy: 0.25)
    #expect(output[3 * 9 + 2] == 0.25)
    #expect(output[2 * 9 + 2] == 0)
    #expect(output[3 * 9 + 3] == 1)
  }

  @Test func framesStayPaper() {
    let scratch = AugmentationScratch(shape: shape)
    scratch.load([UInt8](repeating: 255, count: 81))
    scratch.thicken(by: 2)
    let frame = (0..<144).filter { !(1...9 ~= $0 % 12 && 1...9 ~= $0 / 12) }
    #expect(frame.allSatisfy { scratch.plane[$0] == 0 && scratch.spare[$0] == 0 })
  }
}
