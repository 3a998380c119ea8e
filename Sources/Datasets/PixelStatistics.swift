/// Mean and standard deviation of pixels as a network's input: 0 is paper, 1 full ink.
package struct PixelStatistics: Hashable, Sendable {
  package let mean: Double
  package let deviation: Double

  /// Of all pixels; 0 where there are none. Cost: one pass over them.
  package init(_ pixels: [UInt8]) {
    // Whole numbers: exact, and the same in any order.
    var (sum, squares) = (0, 0)
    for pixel in pixels {
      sum &+= Int(pixel)
      squares &+= Int(pixel) * Int(pixel)
    }
    let count = Double(max(1, pixels.count))
    let mean = Double(sum) / count
    self.mean = mean / Double(PixelScale.full)
    deviation = max(0, Double(squares) / count - mean * mean).squareRoot() / Double(PixelScale.full)
  }
}
