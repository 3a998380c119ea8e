import Tensors

extension Dataset {
  /// Sets `validation` images aside: drawn by the seed, the rest is for training.
  ///
  /// Both lists hold positions in this data set, ascending.
  ///
  /// - Precondition: `validation` is in 0...count.
  public func split(validation: Int, seed: UInt64) -> (training: [Int32], validation: [Int32]) {
    precondition((0...count).contains(validation))
    var random = RandomStream(seed: seed, stream: .split)
    let order = (0..<Int32(count)).shuffled(using: &random)
    return (order[validation...].sorted(), order[..<validation].sorted())
  }
}
