import Dispatch

/// Where the time of steps goes: nanoseconds by layer and pass, for each worker.
///
/// What a single worker does between the parts, such as laying out weights for the kernels, is not in it.
/// Costs two readings of the clock, about 0.1 µs, a layer and image; nothing where no times are asked for.
package final class StepTimes: @unchecked Sendable {
  // Unchecked, since each worker adds to its own counters.
  private let nanoseconds: UnsafeMutableBufferPointer<UInt64>
  private let layers: Int

  enum Slot {
    /// Fetching, augmenting and scaling images.
    case load
    case loss
    case forward(ExecutionPlan.Step)
    /// By the input, and by those parameters that a shard takes care of.
    case backward(ExecutionPlan.Step)
    /// By parameters, over the whole batch.
    case batchBackward(ExecutionPlan.Step)
    /// Adding up shards' gradients.
    case sum
    case update
  }

  package init(layers: Int, workers: Int) {
    self.layers = layers
    nanoseconds = .allocate(capacity: workers * (4 + 3 * layers))
    nanoseconds.initialize(repeating: 0)
  }

  deinit { nanoseconds.deallocate() }

  func measure<Result>(_ slot: Slot, worker: Int, _ body: () -> Result) -> Result {
    let start = DispatchTime.now().uptimeNanoseconds
    let result = body()
    nanoseconds[worker * (4 + 3 * layers) + index(slot)] += DispatchTime.now().uptimeNanoseconds - start
    return result
  }

  private func index(_ slot: Slot) -> Int {
    switch slot {
    case .load: 0
    case .loss: 1
    case .sum: 2
    case .update: 3
    case .forward(let step): 4 + 3 * step.position
    case .backward(let step): 5 + 3 * step.position
    case .batchBackward(let step): 6 + 3 * step.position
    }
  }

  private func total(_ index: Int) -> Double {
    let rowCount = 4 + 3 * layers
    return stride(from: index, to: nanoseconds.count, by: rowCount).reduce(0) { $0 + Double(nanoseconds[$1]) }
      / 1e9
  }

  /// Seconds of all workers together.
  package var load: Double { total(0) }
  package var loss: Double { total(1) }
  package var sum: Double { total(2) }
  package var update: Double { total(3) }
  package func forward(layer: Int) -> Double { total(4 + 3 * layer) }
  package func backward(layer: Int) -> Double { total(5 + 3 * layer) + total(6 + 3 * layer) }
}
