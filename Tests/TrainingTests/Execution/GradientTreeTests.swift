import Tensors
import Testing

@testable import Training

@Suite struct GradientTreeTests {
  /// The fixed tree: neighbours are summed level by level, a last one without a neighbour moves up.
  private func treeSum(_ values: [Float]) -> Float {
    var level = values
    while level.count > 1 {
      level = stride(from: 0, to: level.count, by: 2).map {
        $0 + 1 < level.count ? level[$0] + level[$0 + 1] : level[$0]
      }
    }
    return level[0]
  }

  @Test(arguments: 1...13, [1, 2, 3])
  func sumsInTheFixedOrderWhateverTheThreads(shards: Int, threads: Int) {
    // Values of very different size: another order would give other bits.
    let values = (0..<shards).map { Float($0 % 3 == 0 ? 1e7 : 1.1) * Float($0 + 1) }
    let tree = GradientTree(length: 5, shards: 13, threads: threads)
    for _ in 0..<3 {
      var total = [Float](repeating: .nan, count: 5)
      tree.begin(shards: shards)
      total.withUnsafeMutableBufferPointer { total in
        guard let target = total.baseAddress else { return }
        WorkerPool(threads: threads).forEach(shards) { _, shard in
          let buffer = tree.takeBuffer()
          buffer.values.update(repeating: values[shard], count: 5)
          tree.add(buffer.index, ofShard: shard, count: 4, total: target)
        }
      }
      #expect(total[..<4].allSatisfy { $0 == treeSum(values) })
      #expect(total[4].isNaN)
    }
  }

  @Test func anyOrderOfArrivalGivesTheSameBits() {
    let values: [Float] = [1e7, 1.1, 2.3, -1e7, 0.7, 3e6, 1]
    for start in values.indices {
      let tree = GradientTree(length: 1, shards: 7, threads: 7)
      tree.begin(shards: 7)
      var total: [Float] = [0]
      for offset in values.indices {
        let shard = (start + 3 * offset) % 7
        let buffer = tree.takeBuffer()
        buffer.values[0] = values[shard]
        tree.add(buffer.index, ofShard: shard, count: 1, total: &total)
      }
      #expect(total[0] == treeSum(values))
    }
  }
}
