import Datasets
import Foundation
import Inference
import Tensors

extension Predictions {
  /// Runs an exported network over a data set, by the runtime alone.
  ///
  /// A probability of 0 counts as the smallest normal number in the loss, so that this stays finite.
  ///
  /// - Precondition: the network takes the data's images and tells its classes apart.
  public init(of network: Network, for data: Dataset, threads: Int) {
    let (count, classes) = (data.count, network.classCount)
    precondition(network.input.extent == Extent3(data.shape) && classes == data.classes.count)
    var probabilities = [Float](repeating: 0, count: count * classes)
    probabilities.withUnsafeMutableBufferPointer { target in
      data.pixels.withUnsafeBufferPointer { pixels in
        guard let target = target.baseAddress, let pixels = pixels.baseAddress else { return }
        // Each worker writes rows of its own.
        nonisolated(unsafe) let (rows, images) = (target, pixels)
        let shards = (count + 63) / 64
        WorkerPool(threads: max(1, min(threads, shards))).forEach(shards) { _, shard in
          let bytes = network.batchScratchByteCount(64)
          withUnsafeTemporaryAllocation(byteCount: max(1, bytes), alignment: 64) { scratch in
            guard let scratch = scratch.baseAddress else { return }
            let first = shard * 64
            network.predict(
              images + first * data.shape.count, count: min(64, count - first), scratch: scratch,
              probabilities: rows + first * classes)
          }
        }
      }
    }
    self.init(probabilities: probabilities, truths: data.labels, classCount: classes)
  }
}
