import Foundation
import Tensors

/// The weights of a sampled Gaussian along each axis of an image.
///
/// The field is periodic: weights further apart than the axis is long fold onto one another, so small images
/// and wide Gaussians need no special case. The squares of the weights sum to 1, which keeps the
/// variance of what they smooth.
struct ElasticTaps {
  private(set) var sigma: Float = 0
  private(set) var horizontal: [Float] = []
  private(set) var vertical: [Float] = []

  init() {}

  init(sigma: Float, shape: ImageShape) {
    self.sigma = sigma
    horizontal = Self.gaussian(sigma: sigma, period: shape.width)
    vertical = Self.gaussian(sigma: sigma, period: shape.height)
  }

  private static func gaussian(sigma: Float, period: Int) -> [Float] {
    let radius = Int((3 * sigma).rounded(.up))
    var weights = [Float](repeating: 0, count: min(2 * radius + 1, period))
    for distance in -radius...radius {
      let ratio = Float(distance) / sigma
      weights[(distance + radius) % period] += exp(-ratio * ratio / 2)
    }
    let norm = weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return weights.map { $0 / norm }
  }
}

extension AugmentationScratch {
  /// Draws both components of a smooth random displacement with the given root mean square, in pixels.
  ///
  /// The taps are computed when sigma changes, once in a training.
  func drawField(amplitude: Float, sigma: Float, from random: inout RandomStream) {
    if taps.sigma != sigma { taps = ElasticTaps(sigma: sigma, shape: shape) }
    drawComponent(into: fieldX, amplitude: amplitude, from: &random)
    drawComponent(into: fieldY, amplitude: amplitude, from: &random)
  }

  private func drawComponent(
    into field: UnsafeMutablePointer<Float>, amplitude: Float, from random: inout RandomStream
  ) {
    let count = shape.planeCount
    // The standard deviation of a uniform byte is √((256² − 1) / 12).
    let scale = amplitude / Float(65535.0 / 12).squareRoot()
    var position = 0
    while position < count {
      let block = random.nextBlock()
      for lane in 0..<4 {
        var word = block[lane]
        for _ in 0..<4 {
          // Up to 15 values past the last, which the overrun holds.
          rough[position] = (Float(word & 0xFF) - 127.5) * scale
          position &+= 1
          word >>= 8
        }
      }
    }
    Self.smooth(rough, count: count, step: shape.width, taps: taps.vertical, into: halfSmooth)
    Self.smooth(halfSmooth, count: count, step: 1, taps: taps.horizontal, into: field)
  }

  /// Smooths one axis, whose neighbours lie `step` apart: result[i] = Σₖ taps[k] · values[i + k · step].
  ///
  /// Indices wrap at `count`, so that a row's end continues in the next row's start: the field is smooth
  /// there too, and the whole plane is one loop. The Gaussian's centre is off by half its width, which
  /// means nothing on periodic noise.
  private static func smooth(
    _ values: UnsafeMutablePointer<Float>, count: Int, step: Int, taps: [Float],
    into result: UnsafeMutablePointer<Float>
  ) {
    // At most `count` values, as there are at most as many taps as the axis has places.
    (values + count).update(from: values, count: (taps.count - 1) * step)
    var position = 0
    while position < count {
      var sum = SIMD16<Float>()
      var source = UnsafeRawPointer(values + position)
      for tap in taps {
        sum += tap * source.loadUnaligned(as: SIMD16<Float>.self)
        source += step &* MemoryLayout<Float>.stride
      }
      UnsafeMutableRawPointer(result + position).storeBytes(of: sum, as: SIMD16<Float>.self)
      position &+= 16
    }
  }
}
