/// How often each byte occurs.
struct Histogram {
  private var counts = InlineArray<256, Int32>(repeating: 0)
  private(set) var total = 0

  mutating func add(_ value: UInt8) {
    counts[Int(value)] &+= 1
    total &+= 1
  }

  func count(of value: Int) -> Int { Int(counts[value]) }

  /// The value that the most others are near to; of several the first.
  ///
  /// - Parameter other: a value from which it has to be more than twice as far.
  func peak(within distance: Int, awayFrom other: Int? = nil) -> Int {
    var (best, most) = (other ?? 0, -1)
    for value in 0..<256 {
      if let other, abs(value - other) <= 2 * distance { continue }
      let count = count(within: distance, of: value)
      if count > most { (best, most) = (value, count) }
    }
    return best
  }

  func mean(within distance: Int, of value: Int) -> Float {
    var (count, sum) = (0, 0)
    for near in max(0, value - distance)...min(255, value + distance) {
      count += Int(counts[near])
      sum += near * Int(counts[near])
    }
    return count == 0 ? Float(value) : Float(sum) / Float(count)
  }

  func count(within distance: Int, of value: Int) -> Int {
    (max(0, value - distance)...min(255, value + distance)).reduce(0) { $0 + Int(counts[$1]) }
  }

  var median: Int { quantile(0.5) }

  /// The smallest value that at least this share of all does not exceed.
  func quantile(_ share: Double) -> Int {
    var sum = 0
    for value in 0..<256 {
      sum += Int(counts[value])
      if Double(sum) >= share * Double(total) { return value }
    }
    return 255
  }

  /// The value that parts the others in two groups most unlike each other (Otsu, "A threshold selection method from
  /// gray-level histograms", 1979): the last one of the lower group.
  var parting: Int {
    var (below, sumBelow, best, bestVariance) = (0.0, 0.0, 0, -1.0)
    var sum = 0.0
    for value in 0..<256 { sum += Double(value) * Double(counts[value]) }
    for value in 0..<255 {
      below += Double(counts[value])
      sumBelow += Double(value) * Double(counts[value])
      let above = Double(total) - below
      guard below > 0, above > 0 else { continue }
      let difference = sumBelow / below - (sum - sumBelow) / above
      let variance = below * above * difference * difference
      if variance > bestVariance { (best, bestVariance) = (value, variance) }
    }
    return best
  }
}
