/// The plain loops of a convolution: for each output the sum over its window, by kernel row, kernel column and channel.
///
/// Eight filters go over the image together, as lanes of a vector, since they look at the same pixels. What each adds
/// up, and in which order, is the same as alone.
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
  /// place of the window; then three vectors of four-byte numbers for their scales, shifts and sums.
  struct Block {
    let weights: UnsafeMutableRawPointer
    let scales: UnsafeMutablePointer<Float>
    var shifts: UnsafeMutablePointer<Float> { scales + 8 }
    var sums: UnsafeMutableRawPointer { UnsafeMutableRawPointer(scales + 16) }

    static func byteCount(inner: Int, weightByteCount: Int) -> Int { 8 * inner * weightByteCount + 96 }

    init(_ memory: UnsafeMutableRawPointer, inner: Int, weightByteCount: Int) {
      weights = memory
      scales = (memory + 8 &* inner &* weightByteCount).assumingMemoryBound(to: Float.self)
    }
  }

  /// - Parameter memory: `Step.blockByteCount` bytes, aligned to 4.
  func run(
    _ source: UnsafePointer<Float>, memory: UnsafeMutableRawPointer, to target: UnsafeMutablePointer<Float>
  ) {
    let block = Block(memory, inner: inner, weightByteCount: 4)
    let weights = block.weights.assumingMemoryBound(to: Float.self)
    let lanes = block.sums.assumingMemoryBound(to: Float.self)
    forEachBlock { filters, image in
      for lane in 0..<filters.count {
        let filter = filters.lowerBound &+ lane
        forEachWeight { weights[$0 &* 8 &+ lane] = self.weights.singleNumber(filter, $1) }
        block.scales[lane] = self.weights.scale(of: filter)
        block.shifts[lane] = shift(of: filter)
      }
      forEachPlace { place, window in
        var sums = SIMD8<Float>()
        forEachInput(of: window) { weight, pixel in
          sums +=
            UnsafeRawPointer(weights + weight &* 8).loadUnaligned(as: SIMD8<Float>.self)
            * source[image &+ pixel]
        }
        block.sums.storeBytes(of: sums, as: SIMD8<Float>.self)
        var to = filters.lowerBound &* output.planeCount &+ place
        for lane in 0..<filters.count {
          target[to] = operation.activation(lanes[lane] * block.scales[lane] + block.shifts[lane])
          to &+= output.planeCount
        }
      }
    }
  }

  /// - Parameter memory: `Step.blockByteCount` bytes, aligned to 4.
  func run(
    _ integers: Operation.IntegerScales, _ source: UnsafePointer<UInt8>, memory: UnsafeMutableRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    let block = Block(memory, inner: inner, weightByteCount: 2)
    let weights = block.weights.assumingMemoryBound(to: Int16.self)
    let lanes = block.sums.assumingMemoryBound(to: Int32.self)
    let rule = Requantization(integers, operation.activation)
    forEachBlock { filters, image in
      for lane in 0..<filters.count {
        let filter = filters.lowerBound &+ lane
        forEachWeight {
          weights[$0 &* 8 &+ lane] = Int16(truncatingIfNeeded: self.weights.singleInteger(filter, $1))
        }
        block.scales[lane] = rule.factor(weightScale: self.weights.scale(of: filter))
        block.shifts[lane] = rule.shift(bias: shift(of: filter))
      }
      forEachPlace { place, window in
        var sums = SIMD8<Int32>()
        forEachInput(of: window) { weight, pixel in
          let eight = UnsafeRawPointer(weights + weight &* 8).loadUnaligned(as: SIMD8<Int16>.self)
          // A byte times a signed byte fits 16 bits.
          sums &+= SIMD8(truncatingIfNeeded: eight &* Int16(source[image &+ pixel]))
        }
        block.sums.storeBytes(of: sums, as: SIMD8<Int32>.self)
        var to = filters.lowerBound &* output.planeCount &+ place
        for lane in 0..<filters.count {
          rule.store(Float(Int(lanes[lane])) * block.scales[lane] + block.shifts[lane], to: target, at: to)
          to &+= output.planeCount
        }
      }
    }
  }

  private var inner: Int { depth &* operation.window.height &* operation.window.width }

  private func shift(of filter: Int) -> Float { bias.map { $0.singleNumber(filter, 0) } ?? 0 }

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
      let end = (group &+ 1) &* members
      for first in stride(from: group &* members, to: end, by: 8) {
        body(first..<min(first &+ 8, end), group &* depth &* input.planeCount)
      }
    }
  }

  /// Calls `body` with each place of a plane and its window.
  @inline(__always) private func forEachPlace(_ body: (_ place: Int, _ window: Reach) -> Void) {
    let window = operation.window
    var place = 0
    for y in 0..<output.height {
      let top = y &* window.down &- operation.top
      let rows = Self.inside(top, window.height, input.height)
      for x in 0..<output.width {
        let left = x &* window.across &- operation.left
        body(
          place,
          Reach(top: top, left: left, rows: rows, columns: Self.inside(left, window.width, input.width)))
        place &+= 1
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
