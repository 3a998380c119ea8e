import Foundation
import Tensors
import Testing

@testable import Datasets

/// Both components of the fields of `count` draws, each [height · width].
private func fields(_ shape: ImageShape, amplitude: Float, sigma: Float, count: Int) -> [[Float]] {
  let scratch = AugmentationScratch(shape: shape)
  return (0..<count).flatMap { index in
    var random = RandomStream(seed: 9, stream: .augmentation, index: index)
    scratch.drawField(amplitude: amplitude, sigma: sigma, from: &random)
    var (right, down): ([Float], [Float]) = ([], [])
    for y in 0..<shape.height {
      scratch.rowX.update(repeating: 0, count: scratch.rowLength)
      scratch.rowY.update(repeating: 0, count: scratch.rowLength)
      scratch.addField(row: y)
      right += UnsafeBufferPointer(start: scratch.rowX, count: shape.width)
      down += UnsafeBufferPointer(start: scratch.rowY, count: shape.width)
    }
    return [right, down]
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

  @Test func nodesAreUniformAndCentred() {
    let scratch = AugmentationScratch(shape: ImageShape(channels: 1, height: 96, width: 96))
    var random = RandomStream(seed: 9, stream: .augmentation)
    // As large an amplitude as leaves the bytes as they are, and 130 × 130 nodes a component.
    scratch.drawField(amplitude: Float(65535.0 / 12).squareRoot(), sigma: 0.5, from: &random)
    let count = 2 * scratch.grid.horizontal.nodeCount * scratch.grid.vertical.nodeCount
    let values = Set(UnsafeBufferPointer(start: scratch.nodes, count: count))
    #expect(values.sorted() == (0..<256).map { Float($0) - 127.5 })
  }

  @Test func neighboursMoveAlikeAndComponentsDoNot() {
    let shape = ImageShape(channels: 1, height: 28, width: 28)
    let draws = fields(shape, amplitude: 1, sigma: 4, count: 40)
    // A field smoothed at σ has the correlation exp(−d² / 4σ²) at distance d along either axis, so the mean
    // square difference is 2 (1 − exp(−d² / 64)). Its mean over 80 fields has an error of 4 %.
    for distance in [1, 4, 8] {
      let (right, down) = (distance, 28 * distance)
      for (step, columns, rows) in [(right, 28 - distance, 28), (down, 28, 28 - distance)] {
        var sum: Float = 0
        for draw in draws {
          for y in 0..<rows {
            for x in 0..<columns {
              let difference = draw[y * 28 + x + step] - draw[y * 28 + x]
              sum += difference * difference
            }
          }
        }
        let expected = 2 * (1 - exp(-Float(distance * distance) / 64))
        #expect(0.87...1.13 ~= sum / Float(80 * rows * columns) / expected)
      }
    }
    // The mean of 40 products of independent values has a standard deviation of 0.16.
    let products = (0..<40).map { draws[2 * $0][400] * draws[2 * $0 + 1][400] }
    #expect(abs(products.reduce(0, +) / 40) < 0.5)
  }

  @Test(arguments: [0.5, 2, 4, 9, 1000] as [Float], [1, 5, 28])
  func weightsCorrelateAsTheGaussianDoes(sigma: Float, length: Int) {
    let axis = ElasticAxis(sigma: sigma, length: length)
    let rows = (0..<length).map { pixel in
      var row = [Float](repeating: 0, count: axis.nodeCount)
      for lane in 0..<4 { row[axis.first[pixel] + lane] = axis.weights[pixel][lane] }
      return row
    }
    for (a, first) in rows.enumerated() {
      for (b, second) in rows.enumerated() {
        let ratio = Float(a - b) / sigma
        let correlation = zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
        // The documented bound; a pixel correlates with itself up to rounding.
        #expect(abs(correlation - exp(-ratio * ratio / 4)) < (a == b ? 1e-6 : 0.035))
      }
    }
  }
}
