import Tensors

/// An exponential moving average (EMA) of a model's flat buffer, often better than the last weights
/// (Polyak and Juditsky, 1992).
struct MovingAverage {
  /// In 0..<1; the nearer to 1, the longer the memory.
  let decay: Float

  /// Moves `average` to `values` after step number `step`, from 0.
  ///
  /// At first the decay is (1 + step) / (10 + step), lest the random start outlive its use.
  func update(
    _ average: UnsafeMutablePointer<Float>, to values: UnsafePointer<Float>, count: Int, step: Int,
    on pool: WorkerPool
  ) {
    let share = 1 - min(decay, Float(1 + step) / Float(10 + step))
    let chunk = 16_384
    pool.forEach((count + chunk - 1) / chunk) { _, index in
      let range = index * chunk..<min(count, (index + 1) * chunk)
      for i in range { average[i] += share * (values[i] - average[i]) }
    }
  }
}
