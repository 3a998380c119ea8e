import Tensors

/// Where everything that a shard of images needs lies in memory, worked out once for an architecture.
///
/// An arena holds, one after another: the input and the output of each layer, then two regions that the
/// gradients of activations take in turn. Layers that work in place add nothing.
struct ExecutionPlan {
  /// Images in a shard. A batch is cut by its size alone, so that the sums, and with them the bits, do not
  /// depend on the number of threads; 16 rows are enough for a matrix product to run at full speed.
  static let shardSize = 16

  /// One layer in its place.
  struct Step {
    let rule: any LayerRule
    let batchNormalization: BatchNormalization?
    let position: Int
    let input: ImageShape
    let output: ImageShape
    /// The layer's stretches of the model's flat buffer.
    let trainable: Range<Int>
    let state: Range<Int>
    /// Offsets in the arena, in values.
    let inputOffset: Int
    let outputOffset: Int
    let outputGradientOffset: Int
    /// Nil if no layer before has anything to train.
    let inputGradientOffset: Int?
    /// Offset in the arena's bytes.
    let savedOffset: Int
  }

  /// Layers that a shard can run through without waiting for the others. Each but the first begins with a
  /// batch normalisation, which needs the statistics of the whole batch.
  struct Stage {
    let steps: Range<Int>
    /// The stage's stretch of the trainable part.
    let trainable: Range<Int>
  }

  let table: ParameterTable
  let steps: [Step]
  let stages: [Stage]
  let input: ImageShape
  let classes: Int
  /// The size of an arena in values and in bytes, and of a worker's scratch memory in values.
  let arenaCount: Int
  let savedByteCount: Int
  let scratchCount: Int

  init(_ architecture: Architecture) {
    let table = ParameterTable(architecture)
    let layers = architecture.layers
    let shard = ExecutionPlan.shardSize
    var activationOffsets = [0]
    var savedOffsets: [Int] = []
    var (activationCount, savedCount, scratchCount) = (architecture.input.count, 0, 1)
    var largest = architecture.input.count
    for (position, layer) in layers.enumerated() {
      let (input, output) = (architecture.input(of: position), architecture.outputs[position])
      if layer.rule.isInPlace {
        activationOffsets.append(activationOffsets[position])
      } else {
        activationOffsets.append(activationCount * shard)
        activationCount += output.count
      }
      savedOffsets.append(savedCount * shard)
      savedCount += layer.rule.savedByteCount(from: input, to: output)
      scratchCount = max(scratchCount, layer.rule.scratchCount(from: input, to: output))
      largest = max(largest, output.count)
    }

    let gradientOffsets = [activationCount * shard, (activationCount + largest) * shard]
    var steps: [Step] = []
    var region = 0
    for position in layers.indices.reversed() {
      let outputRegion = region
      if !layers[position].rule.isInPlace { region = 1 - region }
      let isNeeded = table.trainable[..<position].contains { !$0.isEmpty }
      steps.append(
        Step(
          rule: layers[position].rule, batchNormalization: layers[position].batchNormalization,
          position: position, input: architecture.input(of: position),
          output: architecture.outputs[position], trainable: table.trainable[position],
          state: table.state[position], inputOffset: activationOffsets[position],
          outputOffset: activationOffsets[position + 1],
          outputGradientOffset: gradientOffsets[outputRegion],
          inputGradientOffset: isNeeded ? gradientOffsets[region] : nil,
          savedOffset: savedOffsets[position]))
    }
    steps.reverse()

    let starts = [0] + layers.indices.filter { $0 > 0 && layers[$0].batchNormalization != nil }
    let firstIsNormalization = layers.first?.batchNormalization != nil
    // A batch normalisation in front has a stage without layers before it.
    let bounds = (firstIsNormalization ? [0] : []) + starts + [layers.count]
    stages = zip(bounds, bounds.dropFirst()).map { first, end in
      let range = first..<end
      let trainable =
        range.isEmpty
        ? 0..<0 : table.trainable[first].lowerBound..<table.trainable[end - 1].upperBound
      return Stage(steps: range, trainable: trainable)
    }
    self.table = table
    self.steps = steps
    input = architecture.input
    classes = architecture.output.count
    arenaCount = (activationCount + 2 * largest) * shard
    savedByteCount = savedCount * shard
    self.scratchCount = scratchCount
  }

  /// The number of shards in which `count` images are worked on.
  static func shardCount(_ count: Int) -> Int { (count + shardSize - 1) / shardSize }

  /// The images of a shard, as positions in the batch.
  static func images(ofShard shard: Int, count: Int) -> Range<Int> {
    shard * shardSize..<min(count, (shard + 1) * shardSize)
  }
}
