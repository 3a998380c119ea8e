import Synchronization

/// Sums the gradients of a batch's shards in a fixed binary tree, each pair as soon as both are there.
///
/// The tree's form depends on the number of shards alone, so the sum has the same bits however the shards
/// were spread over workers. Buffers are reused: with t threads at most t · (log₂ shards + 1) are in use.
final class GradientTree: Sendable {
  private let length: Int
  private let buffers: [Buffer]
  private let state: Mutex<State>

  private struct Buffer: @unchecked Sendable {
    let arena: Arena
  }

  private struct State {
    var shards = 0
    var free: [Int] = []
    /// By level of the tree and place in the level: the buffer that waits there for its neighbour.
    var waiting: [[Int?]] = []
  }

  /// A tree for gradients of `length` values from up to `shards` shards.
  init(length: Int, shards: Int, threads: Int) {
    let widths = Self.levelWidths(shards)
    self.length = length
    buffers = (0..<Self.bufferCount(shards: shards, threads: threads)).map { _ in
      Buffer(arena: Arena(valueCount: length))
    }
    state = Mutex(State(waiting: widths.map { Array(repeating: nil, count: $0) }))
  }

  /// The most buffers that can be in use: each worker can hold up one shard, and with it one sum a level.
  static func bufferCount(shards: Int, threads: Int) -> Int {
    min(shards, threads * levelWidths(shards).count)
  }

  /// How many sums there are in each level of the tree.
  private static func levelWidths(_ shards: Int) -> [Int] {
    var widths = [shards]
    while let last = widths.last, last > 1 { widths.append((last + 1) / 2) }
    return widths
  }

  /// Starts a new sum of `shards` gradients.
  func begin(shards: Int) {
    state.withLock {
      $0.shards = shards
      $0.free.removeAll(keepingCapacity: true)
      $0.free.append(contentsOf: buffers.indices)
    }
  }

  /// A buffer for one shard's gradient, to be filled and given to `add`.
  func takeBuffer() -> (index: Int, values: UnsafeMutablePointer<Float>) {
    let index = state.withLock { $0.free.removeLast() }
    return (index, buffers[index].arena.values)
  }

  /// Adds the gradient of `shard`, of which `count` values count, and sums whatever pairs are complete.
  ///
  /// The call that completes the tree writes the sum to `total`.
  func add(_ buffer: Int, ofShard shard: Int, count: Int, total: UnsafeMutablePointer<Float>) {
    var (mine, place, level) = (buffer, shard, 0)
    var width = state.withLock { $0.shards }
    while width > 1 {
      let neighbour = place ^ 1
      if neighbour < width {
        let other: Int? = state.withLock {
          if let other = $0.waiting[level][neighbour] {
            $0.waiting[level][neighbour] = nil
            return other
          }
          $0.waiting[level][place] = mine
          return nil
        }
        guard let other else { return }
        let (left, right) = place < neighbour ? (mine, other) : (other, mine)
        let (a, b) = (buffers[left].arena.values, buffers[right].arena.values)
        let target = width == 2 ? total : a
        for i in 0..<count { target[i] = a[i] + b[i] }
        state.withLock { $0.free.append(right) }
        mine = left
      }
      place /= 2
      level += 1
      width = (width + 1) / 2
      if width == 1 { return }
    }
    // A single shard is its own sum.
    total.update(from: buffers[mine].arena.values, count: count)
  }
}
