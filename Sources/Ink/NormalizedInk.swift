/// How ink lies in the pictures that networks take, as in MNIST: within 20×20 pixels, its centre of mass in the middle
/// of 28×28, high values on paper of 0.
///
/// LeCun, Bottou, Bengio and Haffner, "Gradient-based learning applied to document recognition", 1998, has the sizes.
public enum NormalizedInk {
  public static let side = 28
  public static let count = side * side
  /// The longer side of the ink.
  static let box: Float = 20
  /// Where the centre of mass lies, in pixels whose centres are at 0, 1, …: as in MNIST's own files.
  static let centre: Float = 14
  /// Half the width of a stroke, in pixels.
  static let radius: Float = 1.4
  /// How far from `centre` the mass may lie in a picture that is left alone.
  static let centreTolerance: Float = 0.5

  /// How far to move ink whose box is in the middle, so that its mass is; as far as it stays in the picture.
  static func shift(from mass: Float) -> Float {
    let most = (Float(side) - box) / 2 - 0.5
    return max(-most, min(most, centre - mass))
  }

  /// The centre of mass, in pixels; nil where there is no ink.
  static func centreOfMass(_ pixels: UnsafePointer<UInt8>) -> (x: Float, y: Float)? {
    // At most 784 · 255 · 27: these sums are exact.
    var (mass, x, y) = (0, 0, 0)
    for row in 0..<side {
      for column in 0..<side {
        let value = Int(pixels[row &* side &+ column])
        mass &+= value
        x &+= value &* column
        y &+= value &* row
      }
    }
    return mass == 0 ? nil : (Float(x) / Float(mass), Float(y) / Float(mass))
  }
}
