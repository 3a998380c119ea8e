extension Bitmap {
  /// The whole picture within one of another size: its sides in proportion, in the middle, with margins in the colour of its
  /// paper.
  ///
  /// Each pixel is the mean of the area that it covers. Light stays light. What is transparent becomes paper, as in
  /// `normalizedInk()`. Cost: two multiplications a pixel of the larger picture.
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

    // Along the rows first: [source height, width, channels].
    var narrow = [Float](repeating: 0, count: source.height * width * channels)
    for y in 0..<source.height {
      for (x, column) in columns.enumerated() {
        for channel in 0..<channels {
          var sum = column.outside * paper[channel]
          for (step, weight) in column.weights.enumerated() {
            sum +=
              weight * Float(source.pixels[(y * source.width + column.first + step) * channels + channel])
          }
          narrow[(y * width + x) * channels + channel] = sum
        }
      }
    }
    var result = Bitmap(width: width, height: height, channels: channels)
    for (y, row) in rows.enumerated() {
      for place in 0..<width * channels {
        var sum = row.outside * paper[place % channels]
        for (step, weight) in row.weights.enumerated() {
          sum += weight * narrow[(row.first + step) * width * channels + place]
        }
        result.pixels[y * width * channels + place] = UInt8(max(0, min(255, sum.rounded())))
      }
    }
    return result
  }

  /// The middle one of the values along the four edges, for each channel: ink that touches an edge does not count.
  private var edgeColor: [Float] {
    var places: [Int] = []
    for x in 0..<width { places += [x, (height - 1) * width + x] }
    for y in 0..<height { places += [y * width, y * width + width - 1] }
    return (0..<channels).map { channel in
      let values = places.map { pixels[$0 * channels + channel] }.sorted()
      return Float(values[values.count / 2])
    }
  }
}

/// What a pixel of the smaller picture covers of the larger one, along one axis.
private struct Coverage {
  /// The first pixel of the larger picture that it covers.
  private(set) var first = 0
  /// How much of this pixel each of those is; with `outside` they add up to 1.
  private(set) var weights: [Float] = []
  /// How much of it lies beyond the picture.
  private(set) var outside: Float = 1

  /// Pixel `index` of `count`, each of which is `scale` pixels of the larger picture wide, which has `size` of them.
  init(of index: Int, among count: Int, scale: Double, size: Int) {
    let start = Double(index) * scale - (Double(count) * scale - Double(size)) / 2
    let (low, high) = (max(0, start), min(Double(size), start + scale))
    guard low < high else { return }
    first = min(Int(low), size - 1)
    for pixel in first..<min(size, Int(high.rounded(.up))) {
      weights.append(Float((min(high, Double(pixel + 1)) - max(low, Double(pixel))) / scale))
    }
    outside = max(0, 1 - weights.reduce(0, +))
  }
}
