import Ink
import Tensors

extension Dataset {
  /// What images have that are ink as `NormalizedInk` describes it.
  public static let shapeOfNormalizedInk = ImageShape(
    channels: 1, height: NormalizedInk.side, width: NormalizedInk.side)

  /// Whether the images are ink as `NormalizedInk` describes it, as MNIST's are: nine of ten of some hundred are such as the
  /// module Ink leaves alone.
  public var holdsNormalizedInk: Bool {
    guard shape == Self.shapeOfNormalizedInk, count > 0 else { return false }
    let looked = min(count, 500)
    let normalized = (0..<looked).count { number in
      let start = number * count / looked * shape.count
      return pixels[start..<start + shape.count].withUnsafeBufferPointer { image in
        // An image has pixels.
        guard let image = image.baseAddress else { return false }
        return GreyPicture(pixels: image, width: shape.width, height: shape.height).isNormalized
      }
    }
    return 10 * normalized >= 9 * looked
  }
}
