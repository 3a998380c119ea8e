import Tensors

extension Augmentation {
  /// Adds nearly Gaussian noise of the given standard deviation to `count` values and keeps them in 0…1.
  ///
  /// Four uniform bytes summed stand for the Gaussian: right in mean and variance, cut off at 3.5 standard
  /// deviations, and one generated word a value.
  static func addNoise(
    _ deviation: Float, to values: UnsafeMutablePointer<Float>, count: Int,
    from random: inout RandomStream
  ) {
    // The variance of a uniform byte is (256² − 1) / 12, of four of them 65535 / 3.
    let scale = deviation / Float(65535.0 / 3).squareRoot()
    var position = 0
    while position < count {
      let words = random.nextFourBlocks()
      let pairs = (words & 0x00FF_00FF) &+ ((words &>> 8) & 0x00FF_00FF)
      let sums = (pairs & 0xFFFF) &+ (pairs &>> 16)
      // The float 2²³ + sum, less 2²³ and the mean.
      let noise = (unsafeBitCast(sums | 0x4B00_0000, to: SIMD16<Float>.self) - (0x1p23 + 510)) * scale
      let left = count &- position
      if left >= 16 {
        let place = UnsafeMutableRawPointer(values + position)
        let noisy = place.loadUnaligned(as: SIMD16<Float>.self) + noise
        let positive = noisy.replacing(with: 0, where: noisy .< 0)
        place.storeBytes(of: positive.replacing(with: 1, where: positive .> 1), as: SIMD16<Float>.self)
      } else {
        for lane in 0..<left {
          values[position &+ lane] = min(max(values[position &+ lane] + noise[lane], 0), 1)
        }
      }
      position &+= 16
    }
  }
}
