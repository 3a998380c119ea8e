import Tensors

/// An exponential moving average (EMA) of a model's flat buffer, often better than the last weights
/// (Polyak and Juditsky, 1992).
struct MovingAverage {
  /// In 0..<1; the nearer to 1, the longer the memory.
  let decay: Float

  /// Values that are moved at a time.
  static let chunkSize = 16_384

  /// Moves one chunk of `average` to `values` after step number `step`, from 0.
  ///
  /// At first the decay is (1 + step) / (10 + step), lest the random start outlive its use.
  func update(
    chunk: Int, of average: UnsafeMutablePointer<Float>, to values: UnsafePointer<Float>, count: Int,
    step: Int
  ) {
    let share = 1 - min(decay, Float(1 + step) / Float(10 + step))
    for i in chunk * Self.chunkSize..<min(count, (chunk + 1) * Self.chunkSize) {
      average[i] += share * (values[i] - average[i])
    }
  }
}
