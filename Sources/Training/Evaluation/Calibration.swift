/// Whether the network's confidence can be believed: its mean and its accuracy in bins of confidence.
///
/// Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks", ICML 2017: 15 bins of
/// equal width over the top probability; bin m holds `(m-1)/15 < confidence <= m/15`.
public struct Calibration: Hashable, Sendable {
  /// The images whose top probability lies above `low` and not above `high`.
  public struct Bin: Hashable, Sendable {
    public let low: Double
    public let high: Double
    public let count: Int
    /// Fractions; nil in an empty bin.
    public let meanConfidence: Double?
    public let accuracy: Double?
  }

  /// Ascending, `binCount` of them, together from 0 to 1.
  public let bins: [Bin]
  /// `Σ count/n · |accuracy - meanConfidence|` over the bins, a fraction; 0 without any image.
  public let expectedError: Double

  public static let binCount = 15

  /// Bins of each image's top probability, and of whether that class was right.
  init(confidences: [Float], right: [Bool]) {
    precondition(confidences.count == right.count)
    var counts = Array(repeating: 0, count: Self.binCount)
    var rights = counts
    var sums = Array(repeating: 0.0, count: Self.binCount)
    for (confidence, isRight) in zip(confidences, right) {
      let bin = Self.bin(of: confidence)
      counts[bin] += 1
      rights[bin] += isRight ? 1 : 0
      sums[bin] += Double(confidence)
    }
    let total = Double(confidences.count)
    var error = 0.0
    var bins: [Bin] = []
    for (index, count) in counts.enumerated() {
      let isEmpty = count == 0
      let (n, rightCount) = (Double(count), Double(rights[index]))
      if !isEmpty { error += abs(rightCount - sums[index]) / total }
      bins.append(
        Bin(
          low: Double(index) / Double(Self.binCount), high: Double(index + 1) / Double(Self.binCount),
          count: count, meanConfidence: isEmpty ? nil : sums[index] / n,
          accuracy: isEmpty ? nil : rightCount / n))
    }
    self.bins = bins
    expectedError = error
  }

  /// The bounds are compared as `Float`, so that 0.2 lies in the bin that ends at 3/15.
  private static func bin(of confidence: Float) -> Int {
    (0..<binCount).first { confidence <= Float($0 + 1) / Float(binCount) } ?? binCount - 1
  }
}
