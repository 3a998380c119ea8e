import Tensors

/// The order in which layers are run, and which of them together.
struct ExecutionOrder {
  /// The layers' numbers, in the order of running.
  let positions: [Int]
  /// Input and output of each.
  let shapes: [(input: ImageShape, output: ImageShape)]
  /// Whether each takes a shard's images one by one.
  let isByImage: [Bool]
  /// Whether the gradient by the parameters is taken over the whole batch.
  let takesBatch: [Bool]
  /// The runs between batch normalisations, each of which begins a new one.
  let stages: [Range<Int>]

  init(_ architecture: Architecture) {
    let layers = architecture.layers
    var positions = Array(layers.indices)
    // Taking a maximum and rectifying can change places, since the one picks among values and the other keeps their
    // order; the rectifier then has a fraction of the values.
    for index in positions.indices.dropLast() where layers[positions[index]].isRectifier {
      if layers[positions[index + 1]].isMaximumPool { positions.swapAt(index, index + 1) }
    }
    self.positions = positions

    var input = architecture.input
    var shapes: [(ImageShape, ImageShape)] = []
    var isByImage: [Bool] = []
    for position in positions {
      let rule = layers[position].rule
      let output = rule.isInPlace && !layers[position].isFlatten ? input : architecture.outputs[position]
      shapes.append((input, output))
      switch rule.grain {
      case .image: isByImage.append(true)
      case .shard: isByImage.append(false)
      case .either: isByImage.append(isByImage.last ?? true)
      }
      input = output
    }
    self.shapes = shapes
    self.isByImage = isByImage
    takesBatch = zip(positions, shapes).map { layers[$0].rule.batchParts(for: $1.0) > 0 }

    let normalizations = positions.indices.filter { layers[positions[$0]].batchNormalization != nil }
    let bounds = [0] + normalizations + [positions.count]
    // A normalisation in front leaves an empty first stage; nothing else does.
    stages = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
  }

  /// Whether these steps all take images one by one, without waiting for a batch in between.
  func takesImageByImage(_ steps: [Int]) -> Bool {
    steps.allSatisfy { isByImage[$0] } && stages.contains { steps.allSatisfy($0.contains) }
  }

  /// The runs of a stage that take images one by one, or all at once.
  func segments(of stage: Range<Int>) -> [ExecutionPlan.Segment] {
    var segments: [ExecutionPlan.Segment] = []
    for index in stage {
      if let last = segments.last, last.isByImage == isByImage[index] {
        segments[segments.count - 1] = ExecutionPlan.Segment(
          steps: last.steps.lowerBound..<index + 1, isByImage: last.isByImage)
      } else {
        segments.append(ExecutionPlan.Segment(steps: index..<index + 1, isByImage: isByImage[index]))
      }
    }
    return segments
  }
}

extension Layer {
  fileprivate var isRectifier: Bool {
    if case .rectifier = self { true } else { false }
  }
  fileprivate var isFlatten: Bool {
    if case .flatten = self { true } else { false }
  }
  fileprivate var isMaximumPool: Bool {
    if case .pool(let pool) = self { pool.kind == .maximum } else { false }
  }
}
