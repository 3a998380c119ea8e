import Tensors

/// The working memory of `Augmentation.apply` for one image shape, allocated once a worker.
///
/// About 32 bytes a pixel. Two threads must not use one scratch at a time.
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
  /// Elastic displacements in pixels, [height, width], and `overrun` values more.
  let fieldX: UnsafeMutablePointer<Float>
  let fieldY: UnsafeMutablePointer<Float>
  /// Uniform noise [height, width], followed by its beginning again, up to as much.
  let rough: UnsafeMutablePointer<Float>
  /// The same after smoothing along one axis.
  let halfSmooth: UnsafeMutablePointer<Float>
  /// Source coordinates of one output row within the frame, then their fractions.
  let rowX: UnsafeMutablePointer<Float>
  let rowY: UnsafeMutablePointer<Float>
  /// The whole parts of these coordinates.
  let columns: UnsafeMutablePointer<UInt32>
  let rows: UnsafeMutablePointer<UInt32>
  var taps = ElasticTaps()

  /// Elastic smoothing works on 16 values at a time and may read and write up to 15 past the last.
  static let overrun = 16

  /// - Precondition: height and width are from 1 to 2²², so that a `Float` holds any coordinate and its
  ///   fraction.
  public init(shape: ImageShape) {
    precondition(1...(1 << 22) ~= shape.height && 1...(1 << 22) ~= shape.width)
    self.shape = shape
    let frame = (shape.height + 3) * (shape.width + 3)
    let field = shape.planeCount + Self.overrun
    let wrapped = field + shape.planeCount
    plane = Self.zeros(frame)
    spare = Self.zeros(frame)
    fieldX = Self.zeros(field)
    fieldY = Self.zeros(field)
    rough = Self.zeros(wrapped)
    halfSmooth = Self.zeros(wrapped)
    rowX = Self.zeros(shape.width)
    rowY = Self.zeros(shape.width)
    columns = Self.zeros(shape.width)
    rows = Self.zeros(shape.width)
  }

  /// Memory by pointer, because the inner loops need it free of bounds checks, and two frames that swap.
  private static func zeros<Value: Numeric>(_ count: Int) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  deinit {
    for memory in [plane, spare, fieldX, fieldY, rough, halfSmooth, rowX, rowY] {
      memory.deallocate()
    }
    columns.deallocate()
    rows.deallocate()
  }

  /// The distance between rows of a frame.
  var stride: Int { shape.width + 3 }

  /// Copies one channel into the frame, scaled to 0…1.
  func load(_ pixels: UnsafePointer<UInt8>) {
    for y in 0..<shape.height {
      let from = pixels + (y &* shape.width)
      let to = plane + ((y &+ 1) &* stride &+ 1)
      for x in 0..<shape.width {
        to[x] = Float(from[x]) / 255
      }
    }
  }
}
