import Datasets
import PlainText
import Wire

extension Dataset {
  /// CRC-32 of shape, pixels and labels, to know a data set again.
  var checksum: UInt32 {
    var checksum = CRC32()
    shape.extents.withUnsafeBytes { checksum.update($0) }
    pixels.withUnsafeBytes { checksum.update($0) }
    labels.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }

  /// For each class the inverse of its share of the given images, over the number of classes: 1 if all are
  /// equally frequent. A class without images weighs 1.
  func balancedWeights(of members: [Int32]) -> [Float] {
    let counts = classCounts(of: members)
    let total = counts.reduce(0, +)
    return counts.map { $0 == 0 ? 1 : Float(total) / Float(classes.count * $0) }
  }

  /// What a person should know about the distribution of classes before training: one line each.
  ///
  /// With more than ten classes a class is rare below half of an even share rather than below 5%.
  public var warnings: [String] {
    if classes.count == 1 {
      return ["there is only one class, \(classes.names[0]): there is nothing to learn"]
    }
    let counts = classCounts(of: 0..<Int32(self.count))
    let count = counts.reduce(0, +)
    let limit = min(0.05, 0.5 / Double(classes.count))
    let rare = counts.indices.filter { Double(counts[$0]) < limit * Double(count) }
    // A few tell what to do; thousands would hide everything else.
    let others = rare.count > 5 ? ["\(rare.count - 5) other classes are rare, too"] : []
    return rare.prefix(5).map {
      let percent = (Double(counts[$0]) / Double(count)).percent(images: count)
      return
        "class \(classes.names[$0]) has only \(counts[$0].groupedDigits) of \(count.groupedDigits) images (\(percent)); "
        + "consider --balance, or more images of it"
    } + others
  }
}
