import Tensors

/// Images parted into training and test so that both have the same share of each class, and none has the pixels of one in the
/// other part.
package struct StratifiedSplit {
  /// Positions, shuffled.
  package let training: [Int]
  package let test: [Int]

  /// Parts the images by the seed.
  ///
  /// A class of which there are not two different images stays in training, unless all are to be for test.
  ///
  /// - Parameters:
  ///   - labels: the class of each image.
  ///   - equal: which of the images are the same.
  ///   - testShare: how much of each class is for test, 0 to 1.
  package init(labels: [UInt16], equal: EqualImages, testShare: Double, seed: UInt64) {
    // What has the same pixels stays together, with the class of the first, even if people gave it two.
    let groups = Dictionary(grouping: labels.indices) { equal.firsts[$0] }
    let groupsOfClass = Dictionary(grouping: groups.keys.sorted()) { labels[$0] }
    var isForTest = [Bool](repeating: testShare == 1, count: labels.count)
    if testShare < 1 {
      for (label, firsts) in groupsOfClass {
        var random = RandomStream(seed: seed, stream: .split, step: 1, index: Int(label))
        let order = firsts.shuffled(using: &random).map { groups[$0] ?? [] }
        for group in Self.draw(order, share: testShare) {
          for image in group { isForTest[image] = true }
        }
      }
    }
    var random = RandomStream(seed: seed, stream: .split, step: 2)
    let order = labels.indices.shuffled(using: &random)
    training = order.filter { !isForTest[$0] }
    test = order.filter { isForTest[$0] }
  }

  /// Groups of one class for test: as many images as the share asks for, or a few less where groups are large, but neither
  /// none nor all of them.
  private static func draw(_ groups: [[Int]], share: Double) -> [[Int]] {
    guard share > 0, groups.count > 1 else { return [] }
    let count = groups.reduce(0) { $0 + $1.count }
    let wanted = max(1, Int((share * Double(count)).rounded()))
    var drawn: [[Int]] = []
    var room = wanted
    for group in groups where group.count <= room && drawn.count < groups.count - 1 {
      drawn.append(group)
      room -= group.count
    }
    if drawn.isEmpty, let smallest = groups.min(by: { $0.count < $1.count }) { drawn = [smallest] }
    return drawn
  }
}
