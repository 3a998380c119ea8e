/// How activations are stored between operations.
enum Storage: Equatable {
  /// The image as it came.
  case pixels
  /// Bytes, which times the scale are the values.
  case bytes(scale: Float)
  case floats

  var valueByteCount: Int { self == .floats ? 4 : 1 }
}

/// One operation of a network with what goes in and what comes out.
struct Step {
  let operation: Operation
  let input: Extent3
  let output: Extent3
  /// How the input is stored once it is as the operation wants it.
  let inputStorage: Storage
  let outputStorage: Storage

  /// The bytes that the plain loops of a convolution lay out first; 0 for other operations.
  var blockByteCount: Int {
    guard case .convolution(let convolution) = operation else { return 0 }
    let window = convolution.window.height &* convolution.window.width
    let inner = input.channels / convolution.groups &* window
    return ConvolutionLoop.Block.byteCount(inner: inner)
  }
}

/// The scratch memory: two stretches that take turns, and the weights of eight filters.
struct ScratchPlan {
  /// Bytes of the first and of the second stretch.
  private(set) var first = 0
  private(set) var second = 0
  private(set) var block = 0

  // No image has more than 2^24 values, nor a window in it: below 2^30 together.
  var byteCount: Int { first &+ second &+ block }

  /// Walks through all operations; throws for the first that cannot be run.
  init(
    bytes: UnsafeRawBufferPointer, operations: Range<Int>, tensors: Range<Int>,
    input: Network.InputDescription,
    classCount: Int
  ) throws(InkError) {
    var walk = try Walk(bytes: bytes, operations: operations, tensors: tensors, input: input)
    var isFirst = false
    while let step = try walk.next() {
      if walk.converted {
        isFirst.toggle()
        reserve(4 &* step.input.count, isFirst)
      }
      if !step.operation.isInPlace {
        isFirst.toggle()
        reserve(step.output.count &* step.outputStorage.valueByteCount, isFirst)
      }
      block = max(block, step.blockByteCount)
    }
    guard walk.extent.count == classCount, walk.storage == .floats else {
      throw InkError(.classes, at: operations.lowerBound)
    }
    // Multiples of 16 keep every stretch aligned.
    (first, second, block) = ((first &+ 15) & ~15, (second &+ 15) & ~15, (block &+ 15) & ~15)
  }

  @inline(never) private mutating func reserve(_ count: Int, _ isFirst: Bool) {
    if isFirst { first = max(first, count) } else { second = max(second, count) }
  }
}

extension Operation {
  /// Whether the output takes the input's place.
  var isInPlace: Bool {
    switch self {
    case .flatten, .softmax, .activation, .affine: true
    case .convolution, .dense, .maximumPool, .averagePool, .globalAveragePool: false
    }
  }

  /// Whether it is a convolution or a dense layer.
  var hasWeights: Bool {
    switch self {
    case .convolution, .dense: true
    default: false
    }
  }

  /// Its integer scales; nil where it computes with floats.
  private var integers: IntegerScales? {
    switch self {
    case .convolution(let convolution): convolution.integers
    case .dense(let dense): dense.integers
    default: nil
    }
  }

  /// Whether the operation can take the input as it is stored.
  fileprivate func takes(_ storage: Storage, _ input: Network.InputDescription) -> Bool {
    if let integers {
      return switch storage {
      case .floats: false
      case .pixels: input.offset == 0 && input.scale == integers.input
      case .bytes(let scale): scale == integers.input
      }
    }
    return switch self {
    // The largest pixel has the largest value where the scale is positive.
    case .maximumPool: storage != .pixels || input.offset == 0 && input.scale > 0
    case .flatten: storage != .pixels || input.offset == 0
    default: storage == .floats
    }
  }

  fileprivate var wantsFloats: Bool { integers == nil }

  fileprivate func outputStorage(_ input: Storage) -> Storage {
    if let integers { return integers.output > 0 ? .bytes(scale: integers.output) : .floats }
    return switch self {
    case .maximumPool, .flatten: input
    default: .floats
    }
  }
}

/// Goes through the operations of a table that may be hostile, and knows shape and storage at each.
struct Walk {
  private var reader: ByteReader
  private let bytes: UnsafeRawBufferPointer
  private let tensors: Range<Int>
  private let tensorCount: Int
  private let input: Network.InputDescription
  private var left: Int
  private(set) var extent: Extent3
  private(set) var storage = Storage.pixels
  /// Whether the last operation wanted floats where there were bytes.
  private(set) var converted = false

  /// - Precondition: the tensor table was checked.
  @inline(never) init(
    bytes: UnsafeRawBufferPointer, operations: Range<Int>, tensors: Range<Int>,
    input: Network.InputDescription
  ) throws(InkError) {
    self.bytes = bytes
    self.tensors = tensors
    self.input = input
    reader = ByteReader(bytes, operations)
    left = try reader.short()
    tensorCount = bytes.short(at: tensors.lowerBound)
    extent = input.extent
  }

  /// The next operation; nil after the last.
  @inline(never) mutating func next() throws(InkError) -> Step? {
    guard left > 0 else {
      guard reader.isAtEnd else { throw InkError(.length, at: reader.offset) }
      return nil
    }
    left -= 1
    let start = reader.offset
    let operation = try reader.operation()
    converted = false
    if !operation.takes(storage, input) {
      // Whole numbers can become floats, but not the other way round.
      guard operation.wantsFloats, storage != .floats else { throw InkError(.shape, at: start) }
      (storage, converted) = (.floats, true)
    }
    let (inputExtent, inputStorage) = (extent, storage)
    guard let output = outputExtent(of: operation), output.isPlausible else {
      throw InkError(.shape, at: start)
    }
    extent = output
    storage = operation.outputStorage(storage)
    return Step(
      operation: operation, input: inputExtent, output: output, inputStorage: inputStorage,
      outputStorage: storage)
  }

  private func outputExtent(of operation: Operation) -> Extent3? {
    switch operation {
    case .convolution(let convolution):
      guard convolution.groups > 0, convolution.filters > 0, extent.channels % convolution.groups == 0,
        convolution.filters % convolution.groups == 0
      else { return nil }
      // The frame of zeros takes memory as the image does, and a window in it has no more places than that.
      let padded = Extent3(
        channels: extent.channels, height: extent.height &+ convolution.top &+ convolution.bottom,
        width: extent.width &+ convolution.left &+ convolution.right)
      guard padded.isPlausible, let output = convolution.window.output(of: padded) else { return nil }
      let window = convolution.window.height &* convolution.window.width
      let inner = extent.channels / convolution.groups &* window
      guard has(convolution.weights, convolution.bias, convolution.filters, inner, convolution.integers)
      else { return nil }
      return Extent3(channels: convolution.filters, height: output.height, width: output.width)
    case .dense(let dense):
      guard dense.outputs > 0,
        has(dense.weights, dense.bias, dense.outputs, extent.count, dense.integers)
      else { return nil }
      return Extent3(channels: dense.outputs, height: 1, width: 1)
    case .maximumPool(let window), .averagePool(let window): return window.output(of: extent)
    case .globalAveragePool: return Extent3(channels: extent.channels, height: 1, width: 1)
    case .flatten: return Extent3(channels: extent.count, height: 1, width: 1)
    case .softmax: return extent
    case .activation: return extent
    case .affine(let scale, let shift):
      return hasFloats(scale, extent.channels) && hasFloats(shift, extent.channels) ? extent : nil
    }
  }

  /// The most columns whose products of a byte and a signed byte no int32 sum of can overflow.
  private static let mostIntegerColumns = 65_536

  /// Whether there are weights of that size and of a type for such arithmetic, and a bias for each row if any.
  @inline(never) private func has(
    _ weights: Int, _ bias: Int, _ rows: Int, _ columns: Int, _ integers: Operation.IntegerScales?
  ) -> Bool {
    guard let tensor = tensor(weights), tensor.rows == rows, tensor.columns == columns,
      bias == InkFormat.noTensor || hasFloats(bias, rows)
    else { return false }
    guard integers != nil else { return true }
    return tensor.type.isInteger && columns <= Self.mostIntegerColumns
  }

  /// Whether a tensor is a column of floats, as biases, scales and shifts are.
  private func hasFloats(_ index: Int, _ rows: Int) -> Bool {
    guard let tensor = tensor(index) else { return false }
    return tensor.rows == rows && tensor.columns == 1 && !tensor.type.isInteger
  }

  private func tensor(_ index: Int) -> WeightTensor? {
    guard index < tensorCount else { return nil }
    return WeightTensor(bytes, table: tensors, index)
  }
}

extension Operation.Window {
  /// The extent of what windows over an image give; nil where none fits.
  func output(of image: Extent3) -> Extent3? {
    guard image.height >= height, image.width >= width else { return nil }
    return Extent3(
      channels: image.channels, height: (image.height &- height) / down &+ 1,
      width: (image.width &- width) / across &+ 1)
  }
}

extension Extent3 {
  /// The most values of an image or of its activations: 4,096 × 4,096. A short file must not claim much memory.
  static let mostValues = 1 << 24

  /// Whether there are values, and no more than that.
  var isPlausible: Bool {
    guard channels > 0, height > 0, width > 0, channels <= Self.mostValues, height <= 1 << 17,
      width <= 1 << 17
    else { return false }
    let (plane, planeOverflow) = height.multipliedReportingOverflow(by: width)
    let (count, overflow) = plane.multipliedReportingOverflow(by: channels)
    return !planeOverflow && !overflow && count <= Self.mostValues
  }
}
