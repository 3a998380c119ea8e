import Foundation
import Tensors

/// How the pixels along one axis take part in a smooth random field.
///
/// Noise lies at nodes 1.5 σ apart, the first before the axis and the last after it. A pixel adds up the four
/// nodes around it, weighted by the Gaussian of their distance, which is cut off at 3 σ. The spacing may be
/// that wide because the Gaussian leaves nothing finer: the field has the correlation exp(−d² / 4σ²) of
/// smoothed noise that was drawn at every pixel, within 0.035. The squares of a pixel's weights sum
/// to 1, which keeps the variance of what they smooth.
struct ElasticAxis {
  let nodeCount: Int
  /// For each pixel the first of its four nodes.
  let first: [Int]
  let weights: [SIMD4<Float>]

  init(sigma: Float, length: Int) {
    let spacing = 1.5 * sigma
    nodeCount = Self.nodeCount(sigma: sigma, length: length)
    first = (0..<length).map { Int(Float($0) / spacing) }
    weights = zip(0..., first).map { pixel, node in
      let places = SIMD4<Float>(-1, 0, 1, 2) + Float(node)
      let distances = (places * spacing - Float(pixel)) / sigma
      let squares = distances * distances
      let gaussian = SIMD4((0..<4).map { exp(-squares[$0] / 2) })
      return gaussian / (gaussian * gaussian).sum().squareRoot()
    }
  }

  static func nodeCount(sigma: Float, length: Int) -> Int {
    Int(Float(length - 1) / (1.5 * sigma)) + 4
  }
}

/// Both axes of an image, for one σ.
struct ElasticGrid {
  private(set) var sigma: Float = 0
  private(set) var horizontal = ElasticAxis(sigma: 1, length: 1)
  private(set) var vertical = ElasticAxis(sigma: 1, length: 1)

  init() {}

  init(sigma: Float, shape: ImageShape) {
    self.sigma = sigma
    horizontal = ElasticAxis(sigma: sigma, length: shape.width)
    vertical = ElasticAxis(sigma: sigma, length: shape.height)
  }
}

extension AugmentationScratch {
  /// Draws both components of a random displacement with the given root mean square, in pixels, and smooths
  /// them along rows; `addField` does the rest.
  ///
  /// The grid is computed when sigma changes, once in a training.
  func drawField(amplitude: Float, sigma: Float, from random: inout RandomStream) {
    if grid.sigma != sigma { grid = ElasticGrid(sigma: sigma, shape: shape) }
    drawNodes(amplitude: amplitude, from: &random)
    let axis = grid.horizontal
    for row in 0..<2 &* grid.vertical.nodeCount {
      let (from, to) = (nodes + (row &* axis.nodeCount), fieldRows + (row &* rowLength))
      for x in 0..<shape.width {
        to[x] = (axis.weights[x] * (from + axis.first[x]).four).sum()
      }
    }
  }

  private func drawNodes(amplitude: Float, from random: inout RandomStream) {
    // The standard deviation of a uniform byte is √((256² − 1) / 12).
    let scale = amplitude / Float(65535.0 / 12).squareRoot()
    let count = 2 &* grid.vertical.nodeCount &* grid.horizontal.nodeCount
    for position in stride(from: 0, to: count, by: 16) {
      let block = random.nextBlock()
      for byte in 0..<4 {
        let bytes = (block &>> UInt32(8 &* byte)) & 0xFF
        // The bits are the float 2²³ + byte; the mean has no place beside 2²³ in one float.
        let values = unsafeBitCast(bytes | 0x4B00_0000, to: SIMD4<Float>.self) - 0x1p23
        (nodes + (position &+ 4 &* byte)).store((values - 127.5) * scale)
      }
    }
  }

  /// Adds the displacement of row `y` to the coordinates in `rowX` and `rowY`.
  func addField(row y: Int) {
    let axis = grid.vertical
    // The components lie one after the other.
    let fromX = fieldRows + (axis.first[y] &* rowLength)
    let fromY = fromX + (axis.nodeCount &* rowLength)
    Self.add(fromX, weights: axis.weights[y], rowLength: rowLength, to: rowX)
    Self.add(fromY, weights: axis.weights[y], rowLength: rowLength, to: rowY)
  }

  /// Adds the weighted sum of four rows, one after the other, to another row.
  private static func add(
    _ rows: UnsafeMutablePointer<Float>, weights: SIMD4<Float>, rowLength: Int,
    to row: UnsafeMutablePointer<Float>
  ) {
    let (second, third, fourth) = (rows + rowLength, rows + 2 &* rowLength, rows + 3 &* rowLength)
    var x = 0
    while x < rowLength {
      let upper = weights[0] * (rows + x).four + weights[1] * (second + x).four
      let lower = weights[2] * (third + x).four + weights[3] * (fourth + x).four
      (row + x).store((row + x).four + (upper + lower))
      x &+= 4
    }
  }
}
