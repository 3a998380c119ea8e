import Tensors

extension Dataset {
  /// Sets `validation` images aside: drawn by the seed, the rest is for training, and so are all outliers.
  ///
  /// Both lists hold positions in this data set, ascending.
  ///
  /// - Precondition: `validation` is in 0...count - outlierCount.
  public func split(validation: Int, seed: UInt64) -> (training: [Int32], validation: [Int32]) {
    let all = 0..<Int32(count)
    let outliers = all.filter { labels[Int($0)] == Self.noClass }
    precondition((0...count - outliers.count).contains(validation))
    var random = RandomStream(seed: seed, stream: .split)
    let order = all.filter { labels[Int($0)] != Self.noClass }.shuffled(using: &random)
    return ((order[validation...] + outliers).sorted(), order[..<validation].sorted())
  }
}
