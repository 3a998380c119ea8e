/// A grey picture of any size in the caller's memory: a byte a pixel, row by row from the top.
public struct GreyPicture {
  let pixels: UnsafePointer<UInt8>
  let width: Int
  let height: Int

  /// - Parameter pixels: width · height bytes.
  public init(pixels: UnsafePointer<UInt8>, width: Int, height: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
  }

  var count: Int { width * height }

  /// Whether this picture is as networks take it, with ink high on paper of 0: then it is best left alone.
  var isNormalized: Bool {
    guard width == NormalizedInk.side, height == NormalizedInk.side,
      let mass = NormalizedInk.centreOfMass(pixels)
    else { return false }
    let tolerance = NormalizedInk.centreTolerance
    guard (mass.x - NormalizedInk.centre).magnitude <= tolerance,
      (mass.y - NormalizedInk.centre).magnitude <= tolerance
    else { return false }
    var (left, right, top, bottom) = (width, -1, height, -1)
    for row in 0..<height {
      for column in 0..<width where pixels[row * width + column] > 0 {
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
      }
    }
    let most = Int(NormalizedInk.box)
    return right - left < most && bottom - top < most
  }
}
