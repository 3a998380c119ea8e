/// How much ink each pixel of a picture has: 0 for paper, 255 for a stroke.
struct InkMap {
  let pixels: UnsafeMutablePointer<UInt8>
  let width: Int
  let height: Int

  /// Above this a pixel belongs to a stroke.
  static let threshold: UInt8 = 112
  /// The least difference between ink and paper, in grey levels, and as a multiple of what nine tenths of the paper differ
  /// from its estimate at most.
  private static let leastContrast: Float = 3
  private static let leastContrastOfNoise: Float = 1.5
  /// The same as a share of what light makes of the paper, which no surface fits exactly.
  private static let leastContrastOfUnevenness: Float = 1.0 / 12

  /// Finds out whether ink is darker or lighter than the paper, and takes the paper away.
  ///
  /// Nil where there is nothing but paper.
  init?(
    _ picture: GreyPicture, _ paper: Paper, row: UnsafeMutablePointer<Float>,
    to pixels: UnsafeMutablePointer<UInt8>
  ) {
    self.pixels = pixels
    (width, height) = (picture.width, picture.height)
    guard let sign = Self.sign(picture, paper, row) else { return nil }
    var histogram = Histogram()
    for y in 0..<height {
      paper.row(y, to: row)
      for x in 0..<width {
        let place = y * width + x
        let difference = sign * (Float(picture.pixels[place]) - row[x])
        pixels[place] = difference > 0 ? UInt8(min(255, difference + 0.5)) : 0
        histogram.add(pixels[place])
      }
    }
    let parting = histogram.parting
    guard let ink = Self.mean(of: histogram, above: parting) else { return nil }
    // Paper differs from its estimate by noise: most of what is below the parting.
    let noise = Float(Self.quantile(0.9, of: histogram, upTo: parting))
    guard ink >= Self.leastContrast, ink >= Self.leastContrastOfNoise * noise,
      ink >= Self.leastContrastOfUnevenness * paper.unevenness
    else { return nil }
    let scale = 255 / ink
    for place in 0..<width * height {
      let value = Float(pixels[place]) * scale
      pixels[place] = value < 255 ? UInt8(value) : 255
    }
  }

  /// 1 where ink is lighter than paper, -1 where it is darker; nil where nothing differs.
  private static func sign(_ picture: GreyPicture, _ paper: Paper, _ row: UnsafeMutablePointer<Float>)
    -> Float?
  {
    // Squares, so that much ink counts more than a little noise everywhere.
    var (lighter, darker) = (0.0, 0.0)
    for y in 0..<picture.height {
      paper.row(y, to: row)
      for x in 0..<picture.width {
        let difference = Double(Float(picture.pixels[y * picture.width + x]) - row[x])
        if difference > 0 { lighter += difference * difference } else { darker += difference * difference }
      }
    }
    return lighter == darker ? nil : lighter > darker ? 1 : -1
  }

  private static func mean(of histogram: Histogram, above parting: Int) -> Float? {
    var (count, sum) = (0, 0)
    for value in (parting + 1)..<256 {
      count += histogram.count(of: value)
      sum += value * histogram.count(of: value)
    }
    return count == 0 ? nil : Float(sum) / Float(count)
  }

  private static func quantile(_ share: Double, of histogram: Histogram, upTo parting: Int) -> Int {
    var total = 0
    for value in 0...parting { total += histogram.count(of: value) }
    var sum = 0
    for value in 0...parting {
      sum += histogram.count(of: value)
      if Double(sum) >= share * Double(total) { return value }
    }
    return parting
  }
}
