import Tensors

/// The working memory of `Augmentation.apply` for one image shape, allocated once a worker.
///
/// About 33 bytes a pixel. Two threads must not use one scratch at a time.
///
/// Sendable without a check because a scratch is made on one thread and then handed to the one worker
/// that uses it.
public final class AugmentationScratch: @unchecked Sendable {
  /// The shape of the images that fit.
  public let shape: ImageShape

  /// The image's channel within a frame of zeros, [height + 3, width + 3]: one row and column before it,
  /// two after, so that any coordinate clamped to the frame has its four neighbours in memory.
  var plane: UnsafeMutablePointer<Float>
  /// A second such frame, for steps that cannot work in place.
  var spare: UnsafeMutablePointer<Float>
  /// Random displacements at the nodes of the elastic grid, in pixels: [2, vertical nodes, horizontal nodes],
  /// to the right first, then down.
  let nodes: UnsafeMutablePointer<Float>
  /// The same smoothed along rows, [2, vertical nodes, `rowLength`].
  let fieldRows: UnsafeMutablePointer<Float>
  /// Source coordinates of one output row within the frame, then their fractions: [`rowLength`].
  let rowX: UnsafeMutablePointer<Float>
  let rowY: UnsafeMutablePointer<Float>
  /// Where in the frame the whole parts of these coordinates lie: [`rowLength`].
  let corners: UnsafeMutablePointer<UInt32>
  var grid = ElasticGrid()

  /// The distance between rows of a frame.
  var frameWidth: Int { shape.width + 3 }

  /// The width, rounded up so that any row is a number of vectors of four.
  var rowLength: Int { Self.rowLength(of: shape) }

  private static func rowLength(of shape: ImageShape) -> Int { (shape.width + 3) & ~3 }

  /// Nodes are drawn 16 at a time, up to this many past the last.
  private static let nodeOverrun = 15

  /// - Precondition: height and width are from 1 to 2²², so that a `Float` holds any coordinate and its
  ///   fraction, and their product is below 2³², so that 32 bits count the pixels.
  public init(shape: ImageShape) {
    precondition(1...(1 << 22) ~= shape.height && 1...(1 << 22) ~= shape.width)
    self.shape = shape
    let frame = (shape.height + 3) * (shape.width + 3)
    precondition(frame <= UInt32.max)
    let rowLength = Self.rowLength(of: shape)
    // The smallest σ has the most nodes.
    let sigma = Augmentation.sigmaLimits.lowerBound
    let nodeRows = 2 * ElasticAxis.nodeCount(sigma: sigma, length: shape.height)
    let nodeColumns = ElasticAxis.nodeCount(sigma: sigma, length: shape.width)
    plane = Self.zeros(frame)
    spare = Self.zeros(frame)
    nodes = Self.zeros(nodeRows * nodeColumns + Self.nodeOverrun)
    fieldRows = Self.zeros(nodeRows * rowLength)
    rowX = Self.zeros(rowLength)
    rowY = Self.zeros(rowLength)
    corners = Self.zeros(rowLength)
  }

  /// Memory by pointer, because the inner loops need it free of bounds checks, and two frames that swap.
  private static func zeros<Value: Numeric>(_ count: Int) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  deinit {
    for memory in [plane, spare, nodes, fieldRows, rowX, rowY] {
      memory.deallocate()
    }
    corners.deallocate()
  }

  /// Copies one channel into the frame, scaled to 0…1.
  func load(_ pixels: UnsafePointer<UInt8>) {
    let width = shape.width
    for y in 0..<shape.height {
      let from = pixels + (y &* width)
      let to = plane + ((y &+ 1) &* frameWidth &+ 1)
      var x = 0
      // Four by four by hand: the compiler takes more at a time, and leaves almost half of a row of 28 over.
      while x &+ 4 <= width {
        let four = SIMD4(Float(from[x]), Float(from[x &+ 1]), Float(from[x &+ 2]), Float(from[x &+ 3]))
        (to + x).store(four / PixelScale.full)
        x &+= 4
      }
      PixelScale.convert(from + x, count: width &- x, to: to + x)
    }
  }
}
