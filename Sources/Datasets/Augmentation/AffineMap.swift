import Foundation
import Tensors

/// Where in the source each output pixel comes from: source = matrix · output + offset, in pixels.
struct AffineMap {
  // [xx xy; yx yy] and (x, y); x is the column, y the row counted downwards.
  var xx: Float
  var xy: Float
  var yx: Float
  var yy: Float
  var x: Float
  var y: Float

  /// The inverse of zooming by s, shearing by k = tan φ, rotating by θ about the centre and then shifting.
  ///
  /// With rows counted downwards, forward is s · [cos θ, sin θ; −sin θ, cos θ] · [1, k; 0, 1].
  init(undoing motion: Augmentation.Motion, in shape: ImageShape) {
    let radians = Float.pi / 180
    let (sine, cosine) = (sin(motion.rotation * radians), cos(motion.rotation * radians))
    let slant = tan(motion.shear * radians)
    let shrink = 1 / motion.zoom
    xx = (cosine - slant * sine) * shrink
    xy = (-sine - slant * cosine) * shrink
    yx = sine * shrink
    yy = cosine * shrink
    let (centreX, centreY) = (Float(shape.width - 1) / 2, Float(shape.height - 1) / 2)
    let (fromX, fromY) = (centreX + motion.shiftX, centreY + motion.shiftY)
    x = centreX - (xx * fromX + xy * fromY)
    y = centreY - (yx * fromX + yy * fromY)
  }
}
