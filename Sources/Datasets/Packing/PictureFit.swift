import Images
import Ink
import Tensors

/// How a picture of any size becomes an image of a data set.
package enum PictureFit: Hashable, Sendable {
  /// As networks of ink take it, 28×28 with ink high; see `NormalizedInk`.
  case ink
  /// As it is, in another size; light is high, or dark where it is inverted.
  case resized(width: Int, height: Int, isColored: Bool, isInverted: Bool)

  /// What all images have in common.
  package var shape: ImageShape {
    switch self {
    case .ink: Dataset.shapeOfNormalizedInk
    case .resized(let width, let height, let isColored, _):
      ImageShape(channels: isColored ? 3 : 1, height: height, width: width)
    }
  }

  /// The pixels of the image, [channels, height, width]. Throws a `DrawingError` where there is no ink to fit.
  func pixels(of picture: Bitmap) throws(DrawingError) -> [UInt8] {
    guard case .resized(let width, let height, let isColored, let isInverted) = self else {
      return try picture.normalizedInk()
    }
    let fitted = picture.fitted(width: width, height: height, isColored: isColored)
    let planes =
      isColored
      ? (0..<3).flatMap { channel in
        (0..<width * height).map { fitted.pixels[3 * $0 + channel] }
      } : fitted.pixels
    return isInverted ? planes.map { 255 - $0 } : planes
  }

  /// The same of a drawing, which is dark on light paper.
  func pixels(of drawing: Drawing) throws(DrawingError) -> [UInt8] {
    let ink = try drawing.normalized()
    if self == .ink { return ink }
    let side = NormalizedInk.side
    return try pixels(of: Bitmap(width: side, height: side, channels: 1, pixels: ink.map { 255 - $0 }))
  }
}
