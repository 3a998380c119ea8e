import Tensors
import Testing

@testable import Datasets

private let square = ImageShape(channels: 1, height: 6, width: 6)
private let image = (0..<36).map { UInt8($0 * 7) }

private func moved(_ motion: Augmentation.Motion, elastic: Bool = false) -> [Float] {
  let scratch = AugmentationScratch(shape: square)
  scratch.load(image)
  if elastic {
    var random = RandomStream(seed: 1, stream: .augmentation)
    scratch.drawField(amplitude: 0, sigma: 4, from: &random)
    let down = scratch.fieldRows + scratch.grid.vertical.nodeCount * scratch.rowLength
    (scratch.fieldRows[0], down[0], scratch.fieldRows[1]) = (.nan, .infinity, -.infinity)
  }
  var output = [Float](repeating: .nan, count: 36)
  scratch.sample(through: AffineMap(undoing: motion, in: square), elastic: elastic, output: &output)
  return output
}

/// The value at (x, y) of the unmoved image, 0 outside it.
private func ink(_ x: Int, _ y: Int) -> Float {
  0..<6 ~= x && 0..<6 ~= y ? Float(image[y * 6 + x]) / 255 : 0
}

@Suite struct AugmentationAffineMapTests {
  @Test(arguments: [(0, 0), (2, 0), (0, -3), (-1, 4), (6, 0), (0, -50)])
  func aShiftByWholePixelsIsAnExactCopy(dx: Int, dy: Int) {
    let output = moved(.init(shiftX: Float(dx), shiftY: Float(dy)))
    #expect(output == (0..<36).map { ink($0 % 6 - dx, $0 / 6 - dy) })
  }

  @Test func aShiftByHalfAPixelAveragesNeighbours() {
    let output = moved(.init(shiftX: 0.5))
    for i in 0..<36 {
      // One rounding of a value below 1.
      #expect(abs(output[i] - (ink(i % 6, i / 6) + ink(i % 6 - 1, i / 6)) / 2) < 1e-6)
    }
  }

  @Test(arguments: [(90, 0), (-90, 0), (180, 0), (90, 2)])
  func aRightAngleIsATransposition(degrees: Int, dx: Int) {
    let output = moved(.init(rotation: Float(degrees), shiftX: Float(dx)))
    for i in 0..<36 {
      let (x, y) = (i % 6 - dx, i / 6)
      // Counter-clockwise: the right edge becomes the top.
      let expected = degrees == 90 ? ink(5 - y, x) : degrees == -90 ? ink(y, 5 - x) : ink(5 - x, 5 - y)
      // The Float sine of a half turn is 9e-8, times 5 pixels, times the steepest step of 1 a pixel.
      #expect(abs(output[i] - expected) < 2e-6)
    }
  }

  @Test func zoomGrowsAboutTheCentre() {
    // At a factor of 3 with the centre between pixels 2 and 3, column 1 shows 2.5 + (1 − 2.5) / 3 = 2.
    let output = moved(.init(zoom: 3))
    #expect(abs(output[1 * 6 + 1] - ink(2, 2)) < 1e-6)
    #expect(abs(output[4 * 6 + 1] - ink(2, 3)) < 1e-6)
  }

  @Test func shearMovesRowsByTheirHeight() {
    // At 45° a row that stands 0.5 below the centre moves 0.5 to the right.
    let output = moved(.init(shear: 45))
    #expect(abs(output[3 * 6 + 3] - (ink(2, 3) + ink(3, 3)) / 2) < 1e-6)
    #expect(abs(output[2 * 6 + 3] - (ink(3, 2) + ink(4, 2)) / 2) < 1e-6)
  }

  @Test func coordinatesThatAreNoNumbersReadPaper() {
    let output = moved(.init(shiftX: .nan), elastic: true)
    #expect(output.allSatisfy { $0 == 0 })
    #expect(moved(.init(), elastic: true)[0...1] == [0, 0])
  }
}
