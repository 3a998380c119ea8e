/// Lays strokes, with their width brought to that of MNIST's, into the picture that networks take.
struct InkFitting {
  private let field: DistanceField
  private let cut: InkCut
  /// How far the edges of the strokes move out, in points of the field; below 0 they move in.
  private let growth: Float
  /// Points of the field to a pixel.
  private let scale: Float

  /// Of strokes that are too wide this share of what is too much goes: parts of them are thinner than the mean.
  private static let thinning: Float = 0.6
  /// Samples of a pixel along each axis.
  private static let samples = 4

  init(_ field: DistanceField, radius: Float, _ cut: InkCut) {
    self.field = field
    self.cut = cut
    // With growth g the longer side is length + 2g points, which become 20 pixels; the strokes r + g, which are to
    // become MNIST's: (r + g) · 20 / (length + 2g) = radius.
    let (box, wanted) = (NormalizedInk.box, NormalizedInk.radius)
    let needed = (wanted * InkCut.length - box * radius) / (box - 2 * wanted)
    let room = (Float(DistanceField.side) - InkCut.length) / 2 - 1
    growth = needed > 0 ? min(needed, room) : needed * Self.thinning
    scale = (InkCut.length + 2 * growth) / box
  }

  func draw(to pixels: UnsafeMutablePointer<UInt8>) {
    var (shiftX, shiftY) = (Float(0), Float(0))
    for pass in 0..<2 {
      draw(to: pixels, shiftX, shiftY)
      if pass == 0, let mass = NormalizedInk.centreOfMass(pixels) {
        shiftX = NormalizedInk.shift(from: mass.x)
        shiftY = NormalizedInk.shift(from: mass.y)
      }
    }
  }

  private func draw(to pixels: UnsafeMutablePointer<UInt8>, _ shiftX: Float, _ shiftY: Float) {
    let middle = Float(DistanceField.side) / 2 - 0.5
    let samples = Self.samples
    // A sample's own width, over which its coverage goes from 0 to 1.
    let softness = scale / Float(samples)
    for row in 0..<NormalizedInk.side {
      for column in 0..<NormalizedInk.side {
        var sum: Float = 0
        for sampleRow in 0..<samples {
          let y = Float(row) + (Float(sampleRow) + 0.5) / Float(samples) - 0.5 - NormalizedInk.centre - shiftY
          for sampleColumn in 0..<samples {
            let x =
              Float(column) + (Float(sampleColumn) + 0.5) / Float(samples) - 0.5 - NormalizedInk.centre
              - shiftX
            let distance = field.value(x: middle + x * scale, y: middle + y * scale) + growth
            sum += max(0, min(1, 0.5 + distance / softness))
          }
        }
        let value = sum * 255 / Float(samples * samples)
        // Adding 2^23 rounds half to even.
        pixels[row * NormalizedInk.side + column] = UInt8((value + 8_388_608) - 8_388_608)
      }
    }
  }
}
