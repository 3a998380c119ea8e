import Tensors

/// Where an array of so many values an image lies.
struct Place: Hashable {
  enum Space {
    /// One image's worth in each worker's memory, written over by the next image: it need not leave the cache.
    case image
    /// A shard's worth in each worker's memory, or in each shard's where shards wait for one another.
    case shard
    /// A batch's worth.
    case batch
  }

  let space: Space
  /// Values an image that lie before it in its space.
  let offset: Int
  /// Values an image.
  let count: Int
}

/// Gives each activation and its gradient a place, no farther from the core than its use allows.
struct PlaceBook {
  /// The network's input, then each step's output; steps that work in place share.
  let activations: [Place]
  let gradients: [Place]
  /// Values an image in each space.
  let sizes: [Place.Space: Int]

  init(_ architecture: Architecture, _ order: ExecutionOrder) {
    let rules = order.positions.map { architecture.layers[$0].rule }
    // An array's number is that of the first step that writes it, from 1; 0 is the input.
    var arrays = [0]
    for (step, rule) in rules.enumerated() { arrays.append(rule.isInPlace ? arrays[step] : step + 1) }
    let numbers = Set(arrays).sorted()
    let uses = Dictionary(
      uniqueKeysWithValues: numbers.map { array in
        let users = rules.indices.filter { arrays[$0] == array || arrays[$0 + 1] == array }
        let count = array == 0 ? architecture.input.count : order.shapes[array - 1].output.count
        let isAtEnd = array == 0 || array == arrays[rules.count]
        return (
          array,
          ArrayUse(
            count: count, isWithinImage: !isAtEnd && order.takesImageByImage(users),
            isReadByBackward: users.contains {
              rules[$0].backwardReadsInput && arrays[$0] == array
                || rules[$0].backwardReadsOutput && arrays[$0 + 1] == array
            },
            isBatchInput: users.contains { order.takesBatch[$0] && arrays[$0] == array },
            isBatchOutput: users.contains { order.takesBatch[$0] && arrays[$0 + 1] == array })
        )
      })

    var sizes: [Place.Space: Int] = [:]
    func take(_ space: Place.Space, _ count: Int) -> Place {
      let offset = sizes[space, default: 0]
      sizes[space] = offset + count
      return Place(space: space, offset: offset, count: count)
    }
    let activationOf = uses.sortedMapValues { take($0.activationSpace, $0.count) }
    // Gradients of a batch last until its end. The others are read once, by the step before: two regions in turn.
    var regions: [Place.Space: [Place]] = [:]
    for space in [Place.Space.image, .shard] {
      let largest = uses.values.filter { $0.gradientSpace == space }.map(\.count).max() ?? 0
      regions[space] = [take(space, largest), take(space, largest)]
    }
    let gradientOf = uses.sortedMapValues { use in
      guard let region = regions[use.gradientSpace] else { return take(.batch, use.count) }
      regions[use.gradientSpace] = region.reversed()
      return Place(space: use.gradientSpace, offset: region[0].offset, count: use.count)
    }
    activations = arrays.compactMap { activationOf[$0] }
    gradients = arrays.compactMap { gradientOf[$0] }
    self.sizes = sizes
  }
}

/// What is done with an array.
private struct ArrayUse {
  /// Values an image.
  let count: Int
  /// Whether all steps that touch it take one image after another, without waiting in between.
  let isWithinImage: Bool
  let isReadByBackward: Bool
  /// Whether a gradient that is taken over the whole batch reads it, or its gradient.
  let isBatchInput: Bool
  let isBatchOutput: Bool

  var activationSpace: Place.Space {
    isBatchInput ? .batch : isWithinImage && !isReadByBackward ? .image : .shard
  }
  var gradientSpace: Place.Space { isBatchOutput ? .batch : isWithinImage ? .image : .shard }
}

extension Dictionary where Key == Int {
  /// Each value changed, in the order of the keys.
  fileprivate func sortedMapValues<Result>(_ change: (Value) -> Result) -> [Int: Result] {
    [Int: Result](
      uniqueKeysWithValues: keys.sorted().compactMap { key in self[key].map { (key, change($0)) } })
  }
}
