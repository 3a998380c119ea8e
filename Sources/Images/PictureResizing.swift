extension Bitmap {
  /// The whole picture within one of another size: its sides in proportion, in the middle, with margins in the colour of its
  /// paper.
  ///
  /// Each pixel is the mean of the area that it covers. Light stays light. What is transparent becomes paper, as in
  /// `normalizedInk()`. Cost: some multiplications a pixel of the larger picture, and no
  /// memory but the result's.
  ///
  /// - Parameters:
  ///   - width: of the result, in pixels.
  ///   - height: of the result, in pixels.
  ///   - isColored: whether the result has red, green and blue, rather than grey.
  public func fitted(width: Int, height: Int, isColored: Bool) -> Bitmap {
    let source = opaque(isColored: isColored)
    let channels = source.channels
    if source.width == width, source.height == height { return source }
    let paper = source.edgeColor
    let scale = max(Double(source.width) / Double(width), Double(source.height) / Double(height))
    let columns = (0..<width).map { Coverage(of: $0, among: width, scale: scale, size: source.width) }
    let rows = (0..<height).map { Coverage(of: $0, among: height, scale: scale, size: source.height) }

    var result = Bitmap(width: width, height: height, channels: channels)
    // Row by row of the source, and none of them kept: a picture may be very high and narrow.
    let inner = columns.indices.filter { !columns[$0].pixels.isEmpty }
    var sums = [Double](repeating: 0, count: width * channels)
    for (y, row) in rows.enumerated() {
      for place in sums.indices {
        let isMargin = columns[place / channels].pixels.isEmpty
        sums[place] = (isMargin ? 1 : row.outside) * paper[place % channels]
      }
      for sourceRow in row.pixels {
        let weight = row.weight(of: sourceRow)
        for x in inner {
          let column = columns[x]
          for channel in 0..<channels {
            var sum = column.outside * paper[channel]
            for sourceColumn in column.pixels {
              sum +=
                column.weight(of: sourceColumn)
                * Double(source.pixels[(sourceRow * source.width + sourceColumn) * channels + channel])
            }
            sums[x * channels + channel] += weight * sum
          }
        }
      }
      for (place, sum) in sums.enumerated() {
        result.pixels[y * width * channels + place] = UInt8(max(0, min(255, sum.rounded())))
      }
    }
    return result
  }

  /// The middle one of the values along the four edges, for each channel: ink that touches an edge does not count.
  private var edgeColor: [Double] {
    (0..<channels).map { channel in
      var counts = [Int](repeating: 0, count: 256)
      func add(_ x: Int, _ y: Int) { counts[Int(pixels[(y * width + x) * channels + channel])] += 1 }
      for x in 0..<width {
        add(x, 0)
        add(x, height - 1)
      }
      for y in 0..<height {
        add(0, y)
        add(width - 1, y)
      }
      var below = 0
      let middle = counts.firstIndex { count in
        below += count
        return below > width + height
      }
      return Double(middle ?? 0)
    }
  }
}

/// What a pixel of the smaller picture covers of the larger one, along one axis.
private struct Coverage {
  /// Where it begins and ends, in pixels of the larger picture, and how long it would be without the picture's edges.
  private let low: Double
  private let high: Double
  private let scale: Double
  /// The pixels of the larger picture that it covers.
  let pixels: Range<Int>

  /// Pixel `index` of `count`, each of which is `scale` pixels of the larger picture wide, which has `size` of them.
  init(of index: Int, among count: Int, scale: Double, size: Int) {
    let start = Double(index) * scale - (Double(count) * scale - Double(size)) / 2
    (low, high) = (max(0, start), min(Double(size), start + scale))
    self.scale = scale
    let first = min(Int(low), size - 1)
    pixels = low < high ? first..<max(first, min(size, Int(high.rounded(.up)))) : 0..<0
  }

  /// How much of it one of those pixels is; with `outside` they add up to 1.
  func weight(of pixel: Int) -> Double { (min(high, Double(pixel + 1)) - max(low, Double(pixel))) / scale }

  /// How much of it lies beyond the picture.
  var outside: Double { max(0, 1 - max(0, high - low) / scale) }
}
