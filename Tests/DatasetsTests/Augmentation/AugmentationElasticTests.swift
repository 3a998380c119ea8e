import Tensors
import Testing

@testable import Datasets

/// Both components of the fields of `count` draws, each [height · width].
private func fields(_ shape: ImageShape, amplitude: Float, sigma: Float, count: Int) -> [[Float]] {
  let scratch = AugmentationScratch(shape: shape)
  return (0..<count).flatMap { index in
    var random = RandomStream(seed: 9, stream: .augmentation, index: index)
    scratch.drawField(amplitude: amplitude, sigma: sigma, from: &random)
    return [
      Array(UnsafeBufferPointer(start: UnsafePointer(scratch.fieldX), count: shape.planeCount)),
      Array(UnsafeBufferPointer(start: UnsafePointer(scratch.fieldY), count: shape.planeCount)),
    ]
  }
}

@Suite struct AugmentationElasticTests {
  @Test(arguments: [(28, 28, 4), (5, 7, 4), (1, 1, 4), (9, 1, 2), (3, 28, 0.5)] as [(Int, Int, Float)])
  func theAmplitudeIsTheRootMeanSquare(height: Int, width: Int, sigma: Float) {
    let shape = ImageShape(channels: 1, height: height, width: width)
    let draws = fields(shape, amplitude: 1.5, sigma: sigma, count: 100)
    for place in [0, shape.planeCount / 2, shape.planeCount - 1] {
      let values = draws.map { $0[place] }
      // 200 independent values: the mean has a standard deviation of 0.09, the mean square one of 4 to 8 %.
      #expect(abs(values.reduce(0, +) / 200) < 0.3)
      let rms = (values.reduce(0) { $0 + $1 * $1 } / 200).squareRoot()
      #expect(1.3...1.7 ~= rms)
    }
  }

  @Test func neighboursMoveAlikeAndComponentsDoNot() {
    let shape = ImageShape(channels: 1, height: 28, width: 28)
    let draws = fields(shape, amplitude: 1, sigma: 4, count: 40)
    // A field smoothed at σ has the correlation exp(−d² / 4σ²) at distance d, so the mean square step to the
    // neighbour is 2 (1 − exp(−1 / 64)) = 0.031. A row's last pixel and the next one's first count as well.
    for distance in [1, 28] {
      var sum: Float = 0
      for draw in draws {
        for place in 0..<784 - distance {
          let step = draw[place + distance] - draw[place]
          sum += step * step
        }
      }
      #expect(0.027...0.035 ~= sum / Float(80 * (784 - distance)))
    }
    // The mean of 40 products of independent values has a standard deviation of 0.16.
    let products = (0..<40).map { draws[2 * $0][400] * draws[2 * $0 + 1][400] }
    #expect(abs(products.reduce(0, +) / 40) < 0.5)
  }
}
