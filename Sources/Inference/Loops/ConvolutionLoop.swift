/// The plain loops of a convolution: for each output the sum over its window, by kernel row, kernel column and channel.
///
/// Eight filters go over the image together, as lanes of a vector, since they look at the same pixels, and two places
/// at once, since an addition waits for the one before it. What each adds up, and in which order, is the same as alone.
struct ConvolutionLoop {
  // Extents and tensors were checked, so that no place in them overflows.
  private let operation: Operation.Convolution
  private let input: Extent3
  private let output: Extent3
  private let weights: WeightTensor
  private let bias: WeightTensor?
  /// The channels that a filter looks at.
  private let depth: Int

  init(_ operation: Operation.Convolution, _ step: Step, _ weights: WeightTensor, _ bias: WeightTensor?) {
    self.operation = operation
    (input, output) = (step.input, step.output)
    self.weights = weights
    self.bias = bias
    depth = step.input.channels / operation.groups
  }

  /// What the loops lay out before they go over the image: the weights of eight filters, a vector of eight for each
  /// place of the window; then vectors of four-byte numbers for their scales, their shifts, and the sums of two places.
  struct Block {
    let weights: UnsafeMutableRawPointer
    let scales: UnsafeMutablePointer<Float>
    var shifts: UnsafeMutablePointer<Float> { scales + 8 }
    var sums: UnsafeMutableRawPointer { UnsafeMutableRawPointer(scales + 16) }

    static func byteCount(inner: Int) -> Int { 32 &* inner &+ 128 }

    init(_ memory: UnsafeMutableRawPointer, inner: Int) {
      weights = memory
      scales = (memory + 32 &* inner).assumingMemoryBound(to: Float.self)
    }
  }

  /// - Parameter memory: `Step.blockByteCount` bytes, aligned to 4.
  func run(
    _ source: UnsafePointer<Float>, memory: UnsafeMutableRawPointer, to target: UnsafeMutablePointer<Float>
  ) {
    let block = Block(memory, inner: inner)
    let lanes = block.sums.assumingMemoryBound(to: Float.self)
    forEachBlock { filters, image in
      fill(block, filters, nil)
      forEachPair { place, apart, window in
        var sums = SIMD8<Float>()
        var others = SIMD8<Float>()
        let distance = apart &* operation.window.across
        forEachInput(of: window) { weight, pixel in
          let eight = (block.weights + weight &* 32).loadUnaligned(as: SIMD8<Float>.self)
          sums += eight * source[image &+ pixel]
          others += eight * source[image &+ pixel &+ distance]
        }
        block.sums.storeBytes(of: sums, as: SIMD8<Float>.self)
        block.sums.storeBytes(of: others, toByteOffset: 32, as: SIMD8<Float>.self)
        forEachSum(filters, place, apart) { sum, lane, to in
          target[to] = operation.activation(lanes[sum] * block.scales[lane] + block.shifts[lane])
        }
      }
    }
  }

  /// - Parameter memory: `Step.blockByteCount` bytes, aligned to 4.
  func run(
    _ integers: Operation.IntegerScales, _ source: UnsafePointer<UInt8>, memory: UnsafeMutableRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    let block = Block(memory, inner: inner)
    let lanes = block.sums.assumingMemoryBound(to: Int32.self)
    let rule = Requantization(integers, operation.activation)
    forEachBlock { filters, image in
      fill(block, filters, rule)
      forEachPair { place, apart, window in
        var sums = SIMD8<Int32>()
        var others = SIMD8<Int32>()
        let distance = apart &* operation.window.across
        forEachInput(of: window) { weight, pixel in
          let eight = (block.weights + weight &* 32).loadUnaligned(as: SIMD8<Int32>.self)
          sums &+= eight &* Int32(source[image &+ pixel])
          others &+= eight &* Int32(source[image &+ pixel &+ distance])
        }
        block.sums.storeBytes(of: sums, as: SIMD8<Int32>.self)
        block.sums.storeBytes(of: others, toByteOffset: 32, as: SIMD8<Int32>.self)
        forEachSum(filters, place, apart) { sum, lane, to in
          let value = Float(Int(lanes[sum])) * block.scales[lane] + block.shifts[lane]
          rule.store(value, to: target, at: to)
        }
      }
    }
  }

  /// Lays out the weights, scales and shifts of up to eight filters; the weights as whole numbers where there is a rule.
  @inline(never) private func fill(_ block: Block, _ filters: Range<Int>, _ rule: Requantization?) {
    for lane in 0..<filters.count {
      let filter = filters.lowerBound &+ lane
      forEachWeight { weight, column in
        let bits =
          rule == nil
          ? weights.singleNumber(filter, column).bitPattern
          : UInt32(bitPattern: weights.singleInteger(filter, column))
        block.weights.storeBytes(of: bits, toByteOffset: 4 &* (weight &* 8 &+ lane), as: UInt32.self)
      }
      let (scale, shift) = (weights.scale(of: filter), bias.map { $0.singleNumber(filter, 0) } ?? 0)
      block.scales[lane] = rule?.factor(weightScale: scale) ?? scale
      block.shifts[lane] = rule?.shift(bias: shift) ?? shift
    }
  }

  private var inner: Int { depth &* operation.window.height &* operation.window.width }

  /// Where in the image the window of an output lies, as far as it does: what is outside is left out.
  private struct Reach {
    let top: Int
    let left: Int
    let rows: Range<Int>
    let columns: Range<Int>
  }

  /// Calls `body` with up to eight filters at once, all of one group, and the first pixel of the channels they look at.
  @inline(__always) private func forEachBlock(_ body: (_ filters: Range<Int>, _ image: Int) -> Void) {
    let members = operation.filters / operation.groups
    for group in 0..<operation.groups {
      var first = group &* members
      let end = first &+ members
      while first < end {
        body(first..<min(first &+ 8, end), group &* depth &* input.planeCount)
        first &+= 8
      }
    }
  }

  /// Calls `body` with places of a plane, the distance to a second one, and the window of the first. The second's lies in
  /// the same way; the distance is 0 where there is none.
  @inline(__always) private func forEachPair(_ body: (_ place: Int, _ apart: Int, _ window: Reach) -> Void) {
    let window = operation.window
    var place = 0
    for y in 0..<output.height {
      let top = y &* window.down &- operation.top
      let rows = Self.inside(top, window.height, input.height)
      var x = 0
      while x < output.width {
        let left = x &* window.across &- operation.left
        let isInside = left >= 0 && left &+ window.across &+ window.width <= input.width
        let apart = isInside && x &+ 1 < output.width ? 1 : 0
        body(
          place, apart,
          Reach(top: top, left: left, rows: rows, columns: Self.inside(left, window.width, input.width)))
        place &+= 1 &+ apart
        x &+= 1 &+ apart
      }
    }
  }

  /// Calls `body` for each sum of one place or of two, with its filter's lane and where in the output it goes.
  @inline(__always) private func forEachSum(
    _ filters: Range<Int>, _ place: Int, _ apart: Int, _ body: (_ sum: Int, _ lane: Int, _ to: Int) -> Void
  ) {
    for other in 0..<1 &+ apart {
      var to = filters.lowerBound &* output.planeCount &+ place &+ other
      for lane in 0..<filters.count {
        body(8 &* other &+ lane, lane, to)
        to &+= output.planeCount
      }
    }
  }

  /// Calls `body` for each pixel of a window in one channel after another, with its weight.
  @inline(__always) private func forEachInput(
    of window: Reach, _ body: (_ weight: Int, _ pixel: Int) -> Void
  ) {
    // With one channel the columns are the innermost loop: its order is the same, and it is a longer one.
    let isFlat = depth == 1
    let (inner, distance) = isFlat ? (window.columns.count, 1) : (depth, input.planeCount)
    for ky in window.rows {
      var weight = (ky &* operation.window.width &+ window.columns.lowerBound) &* depth
      let row = (window.top &+ ky) &* input.width &+ window.left &+ window.columns.lowerBound
      for column in 0..<(isFlat ? 1 : window.columns.count) {
        var pixel = row &+ column
        for _ in 0..<inner {
          body(weight, pixel)
          weight &+= 1
          pixel &+= distance
        }
      }
    }
  }

  /// Calls `body` with the place of each weight in the order of `forEachInput`, and with its column in the tensor.
  @inline(__always) private func forEachWeight(_ body: (_ weight: Int, _ column: Int) -> Void) {
    let places = operation.window.height &* operation.window.width
    for place in 0..<places {
      for channel in 0..<depth { body(place &* depth &+ channel, channel &* places &+ place) }
    }
  }

  /// Which of `count` places from `start` on lie in 0..<limit.
  private static func inside(_ start: Int, _ count: Int, _ limit: Int) -> Range<Int> {
    let first = max(0, 0 &- start)
    return first..<max(first, min(count, limit &- start))
  }
}
