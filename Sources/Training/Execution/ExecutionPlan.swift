import Tensors

/// In which order a shard of images goes through the layers, and where everything that it needs lies in memory; worked
/// out once for an architecture.
struct ExecutionPlan {
  /// Images in a shard. A batch is cut by its size alone, so that the sums, and with them the bits, do not
  /// depend on the number of threads; 16 rows are enough for a matrix product to run at full speed.
  static let shardSize = 16

  /// One layer in its place.
  struct Step {
    let rule: any LayerRule
    let batchNormalization: BatchNormalization?
    /// The layer's number in the architecture.
    let position: Int
    let input: ImageShape
    let output: ImageShape
    let memory: LayerMemory
    /// The layer's stretches of the model's flat buffer.
    let trainable: Range<Int>
    let state: Range<Int>
    /// Where its offsets begin in the plan's tables, its prepared parameters in those of all layers, what it saves in
    /// a shard's bytes, and its gradient in the stage's shard gradient.
    let tablesOffset: Int
    let preparedOffset: Int
    let savedOffset: Int
    let shardGradientOffset: Int
    let inputPlace: Place
    let outputPlace: Place
    let outputGradient: Place
    /// Nil if no layer before has anything to train.
    let inputGradient: Place?
    /// Whether a shard's images come one by one.
    let isByImage: Bool
  }

  /// Layers that a shard can run through without waiting for the others. Each but the first begins with a
  /// batch normalisation, which needs the statistics of the whole batch.
  struct Stage {
    let steps: Range<Int>
    /// The steps in runs that take a shard's images one by one, or all at once.
    let segments: [Segment]
    /// Values of a shard's gradient by the stage's parameters.
    let shardGradientCount: Int
  }

  struct Segment {
    let steps: Range<Int>
    let isByImage: Bool
  }

  /// A part of a gradient that is taken over the whole batch.
  struct BatchPart {
    let step: Int
    let part: Int
  }

  let steps: [Step]
  let stages: [Stage]
  let batchParts: [BatchPart]
  let inputPlace: Place
  let outputPlace: Place
  let outputGradient: Place
  let classes: Int
  /// All layers' offsets.
  let tables: [Int32]
  let counts: Counts

  /// How much memory the plan needs, in values but for the bytes.
  struct Counts {
    /// For a single image in work.
    var image = 0
    /// For each image of a shard.
    var shard = 0
    /// For each image of a batch.
    var batch = 0
    /// Bytes for each image of a shard.
    var savedBytes = 0
    var scratch = 1
    var prepared = 0
  }

  init(_ architecture: Architecture) {
    let table = ParameterTable(architecture)
    let order = ExecutionOrder(architecture)
    let places = PlaceBook(architecture, order)
    var counts = Counts()
    var tables: [Int32] = []
    var steps: [Step] = []
    var shardGradientCount = 0
    var stageSizes: [Int] = []
    for (index, position) in order.positions.enumerated() {
      if order.stages.contains(where: { $0.lowerBound == index && index > 0 }) {
        stageSizes.append(shardGradientCount)
        shardGradientCount = 0
      }
      let layer = architecture.layers[position]
      let (input, output) = order.shapes[index]
      let memory = layer.rule.memory(from: input, to: output)
      steps.append(
        Step(
          rule: layer.rule, batchNormalization: layer.batchNormalization, position: position, input: input,
          output: output, memory: memory, trainable: table.trainable[position], state: table.state[position],
          tablesOffset: tables.count, preparedOffset: counts.prepared, savedOffset: counts.savedBytes,
          shardGradientOffset: shardGradientCount, inputPlace: places.activations[index],
          outputPlace: places.activations[index + 1], outputGradient: places.gradients[index + 1],
          inputGradient: table.trainable[..<position].contains { !$0.isEmpty }
            ? places.gradients[index] : nil,
          isByImage: order.isByImage[index]))
      tables += layer.rule.tables(from: input, to: output)
      counts.prepared += memory.prepared
      counts.savedBytes += memory.savedBytes
      counts.scratch = max(counts.scratch, memory.scratch)
      shardGradientCount += memory.shardGradient
    }
    stageSizes.append(shardGradientCount)
    // A batch normalisation in front has a stage without layers before it.
    if stageSizes.count < order.stages.count { stageSizes.insert(0, at: 0) }
    counts.image = places.sizes[.image, default: 0]
    counts.shard = places.sizes[.shard, default: 0]
    counts.batch = places.sizes[.batch, default: 0]

    self.steps = steps
    stages = zip(order.stages, stageSizes).map { range, size in
      Stage(steps: range, segments: order.segments(of: range), shardGradientCount: size)
    }
    batchParts = steps.indices.flatMap { step in
      (0..<steps[step].rule.batchParts(for: steps[step].input)).map { BatchPart(step: step, part: $0) }
    }
    inputPlace = places.activations[0]
    outputPlace = places.activations[order.positions.count]
    outputGradient = places.gradients[order.positions.count]
    classes = architecture.output.count
    self.tables = tables
    self.counts = counts
  }

  /// The number of shards in which `count` images are worked on.
  static func shardCount(_ count: Int) -> Int { (count + shardSize - 1) / shardSize }

  /// The images of a shard, as positions in the batch.
  static func images(ofShard shard: Int, count: Int) -> Range<Int> {
    shard * shardSize..<min(count, (shard + 1) * shardSize)
  }
}
