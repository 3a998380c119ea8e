import Tensors

/// The working memory of `Augmentation.apply` for one image shape: one allocation, made once a worker.
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
  /// Source coordinates of one output row within the frame.
  let rowX: UnsafeMutablePointer<Float>
  let rowY: UnsafeMutablePointer<Float>
  var taps = ElasticTaps()
  private let storage: UnsafeMutablePointer<Float>

  /// Elastic smoothing works on 16 values at a time and may read and write up to 15 past the last.
  static let overrun = 16

  /// - Precondition: height and width are at least 1.
  public init(shape: ImageShape) {
    precondition(shape.height > 0 && shape.width > 0)
    self.shape = shape
    let frame = (shape.height + 3) * (shape.width + 3)
    let pixels = shape.planeCount
    let sizes = [
      frame, frame, pixels + Self.overrun, pixels + Self.overrun, 2 * pixels + Self.overrun,
      2 * pixels + Self.overrun, shape.width, shape.width,
    ]
    // Raw memory, because the inner loops need it free of bounds checks, and two frames that swap.
    storage = UnsafeMutablePointer<Float>.allocate(capacity: sizes.reduce(0, +))
    storage.initialize(repeating: 0, count: sizes.reduce(0, +))
    var next = storage
    func take(_ count: Int) -> UnsafeMutablePointer<Float> {
      defer { next += count }
      return next
    }
    plane = take(sizes[0])
    spare = take(sizes[1])
    fieldX = take(sizes[2])
    fieldY = take(sizes[3])
    rough = take(sizes[4])
    halfSmooth = take(sizes[5])
    rowX = take(sizes[6])
    rowY = take(sizes[7])
  }

  deinit {
    storage.deallocate()
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
