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
      let block = random.nextBlock()
      for lane in 0..<min(4, count &- position) {
        let word = block[lane]
        let pairs = (word & 0x00FF_00FF) &+ ((word >> 8) & 0x00FF_00FF)
        let sum = (pairs & 0xFFFF) &+ (pairs >> 16)
        let value = values[position &+ lane] + (Float(sum) - 510) * scale
        values[position &+ lane] = min(max(value, 0), 1)
      }
      position &+= 4
    }
  }
}
