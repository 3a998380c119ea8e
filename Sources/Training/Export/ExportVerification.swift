/// Whether a file that was written computes what it was made from: both on the same images.
public struct ExportVerification: Hashable, Sendable, Codable {
  /// Images that were compared.
  public let count: Int
  /// Between two probabilities of the same class; infinite where one of them is no number.
  public let largestDifference: Float
  /// Images whose most probable class is another.
  public let flipped: Int

  /// - Precondition: both are of the same images and classes.
  public init(source: Predictions, file: Predictions) {
    precondition(source.count == file.count && source.classCount == file.classCount)
    count = source.count
    largestDifference = zip(source.probabilities, file.probabilities).reduce(0) { largest, pair in
      let difference = abs(pair.0 - pair.1)
      return difference.isFinite ? max(largest, difference) : .infinity
    }
    flipped = (0..<count).count { source.mostProbable($0) != file.mostProbable($0) }
  }
}
