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

extension AugmentationScratch {
  /// Writes [height, width] bilinear samples of the frame, 0 outside the image, taken where `map`, and
  /// the elastic field added to it, point.
  func sample(through map: AffineMap, elastic: Bool, output: UnsafeMutablePointer<Float>) {
    let width = shape.width
    for y in 0..<shape.height {
      // The image begins at (1, 1) of the frame.
      Self.ramp(from: map.xy * Float(y) + map.x + 1, step: map.xx, count: width, into: rowX)
      Self.ramp(from: map.yy * Float(y) + map.y + 1, step: map.yx, count: width, into: rowY)
      if elastic {
        Self.add(fieldX + (y &* width), count: width, to: rowX)
        Self.add(fieldY + (y &* width), count: width, to: rowY)
      }
      Self.split(rowX, count: width, last: Float(width + 1), whole: columns)
      Self.split(rowY, count: width, last: Float(shape.height + 1), whole: rows)
      sampleRow(output: output + (y &* width))
    }
  }

  // One simple loop each, so that the compiler makes vector code of it.

  private static func ramp(from start: Float, step: Float, count: Int, into row: UnsafeMutablePointer<Float>)
  {
    for x in 0..<count {
      // 32 bits, as the baseline instruction set converts no vector of 64-bit integers.
      row[x] = step * Float(Int32(truncatingIfNeeded: x)) + start
    }
  }

  private static func add(
    _ field: UnsafeMutablePointer<Float>, count: Int, to row: UnsafeMutablePointer<Float>
  ) {
    for x in 0..<count {
      row[x] += field[x]
    }
  }

  /// Splits coordinates into their whole part and, in place, their fraction.
  ///
  /// They are first moved to 0…`last` whatever they are, NaN included, so that all reads stay in memory.
  private static func split(
    _ row: UnsafeMutablePointer<Float>, count: Int, last: Float, whole: UnsafeMutablePointer<UInt32>
  ) {
    for x in 0..<count {
      let positive = row[x] > 0 ? row[x] : 0
      let value = positive < last ? positive : last
      // Floats from 2²³ to 2²⁴ are the whole numbers and their low 23 bits count them; checked
      // conversions would not become vector code. Coordinates lie well below 2²³.
      let nearest = (value + 0x1p23) - 0x1p23
      let floor = nearest > value ? nearest - 1 : nearest
      whole[x] = (floor + 0x1p23).bitPattern & 0x7F_FFFF
      row[x] = value - floor
    }
  }

  private func sampleRow(output: UnsafeMutablePointer<Float>) {
    let (above, below) = (UnsafePointer(plane), UnsafePointer(plane + stride))
    let (stride, right, down, columns, rows) = (stride, rowX, rowY, columns, rows)
    for x in 0..<shape.width {
      let corner = Int(rows[x]) &* stride &+ Int(columns[x])
      let upper = above[corner] + right[x] * (above[corner &+ 1] - above[corner])
      let lower = below[corner] + right[x] * (below[corner &+ 1] - below[corner])
      output[x] = upper + down[x] * (lower - upper)
    }
  }
}
