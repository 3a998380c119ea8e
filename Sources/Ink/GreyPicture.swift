/// A grey picture of any size in the caller's memory: a byte a pixel, row by row from the top.
public struct GreyPicture {
  let pixels: UnsafePointer<UInt8>
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - pixels: width · height bytes.
  ///   - width: pixels in a row.
  ///   - height: rows.
  public init(pixels: UnsafePointer<UInt8>, width: Int, height: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
  }

  var count: Int { width * height }

  /// Copies a picture that is as networks take it, or that but for light and dark the other way round; false for others.
  func copyNormalized(to target: UnsafeMutablePointer<UInt8>) -> Bool {
    guard width == NormalizedInk.side, height == NormalizedInk.side else { return false }
    for mask: UInt8 in 0..<2 {
      // 255 - p is p with all bits turned.
      for index in 0..<NormalizedInk.count { target[index] = pixels[index] ^ (0 &- mask) }
      if GreyPicture(pixels: target, width: width, height: height).isNormalized { return true }
    }
    return false
  }

  /// Whether this picture is as networks take it, with ink high on paper of 0: then it is best left alone.
  ///
  /// It is 28 × 28, its ink within 20 × 20, and the centre of mass in the middle to half a pixel.
  public var isNormalized: Bool {
    guard width == NormalizedInk.side, height == NormalizedInk.side,
      let mass = NormalizedInk.centreOfMass(pixels)
    else { return false }
    let tolerance = NormalizedInk.centreTolerance
    guard (mass.x - NormalizedInk.centre).magnitude <= tolerance,
      (mass.y - NormalizedInk.centre).magnitude <= tolerance
    else { return false }
    // Ink between two pixels is faint in both: a box of 20 reaches into 22.
    var (ink, strongInk) = (Component(), Component())
    for row in 0..<height {
      for column in 0..<width {
        let value = pixels[row * width + column]
        if value > 0 { ink.include(column, row) }
        if value > 128 { strongInk.include(column, row) }
      }
    }
    let most = Int(NormalizedInk.box)
    return max(ink.width, ink.height) <= most + 2 && max(strongInk.width, strongInk.height) <= most
  }
}
