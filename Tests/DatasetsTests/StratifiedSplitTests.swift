import Testing

@testable import Datasets

@Suite struct StratifiedSplitTests {
  /// 50 images of class 0, 10 of 1, 2 of 2, 1 of 3.
  private static let labels: [UInt16] =
    [UInt16](repeating: 0, count: 50) + [UInt16](repeating: 1, count: 10) + [2, 2, 3]

  /// Parts images of which those with the same number are the same.
  private func split(
    _ numbers: [Int] = Array(0..<63), _ labels: [UInt16] = labels, share: Double = 0.2, seed: UInt64 = 1
  ) -> StratifiedSplit {
    let images = numbers.map { [UInt8($0)][...] }
    return StratifiedSplit(labels: labels, equal: EqualImages(images), testShare: share, seed: seed)
  }

  private func counts(_ members: [Int]) -> [Int] {
    (0..<4).map { label in members.count { Self.labels[$0] == label } }
  }

  @Test(
    arguments: [
      (0.2, [10, 2, 1, 0]), (0, [0, 0, 0, 0]), (1, [50, 10, 2, 1]), (0.5, [25, 5, 1, 0]),
      // Neither none nor all, where there are two.
      (0.01, [1, 1, 1, 0]), (0.999, [49, 9, 1, 0]),
    ] as [(Double, [Int])])
  func eachClassGivesItsShare(share: Double, expected: [Int]) {
    let split = split(share: share)
    #expect(counts(split.test) == expected)
    #expect((split.training + split.test).sorted() == Array(0..<63))
  }

  @Test func followsTheSeedAlone() {
    #expect(split().test == split().test && split().training == split().training)
    #expect(split().test != split(seed: 2).test)
    #expect(Set(split().test) != Set(split(seed: 2).test))
    // Mixed, so that the first images are no worse than the others.
    #expect(split().training != split().training.sorted())
  }

  @Test func whatIsTheSameStaysTogether() {
    // Each of 20 pictures twice, and one of class 0 also as class 1.
    let numbers = (0..<50).map { $0 % 25 } + [3] + (101..<110) + [200, 201, 202]
    for seed in 1...20 {
      let split = split(numbers, seed: UInt64(seed))
      let (training, test) = (Set(split.training.map { numbers[$0] }), Set(split.test.map { numbers[$0] }))
      #expect(training.isDisjoint(with: test))
      #expect((8...11).contains(counts(split.test)[0]), "\(counts(split.test))")
    }
  }

  @Test func aClassOfOneRepeatedImageStaysInTraining() {
    #expect(split([5, 5, 5, 5], [0, 0, 0, 0], share: 0.5).test == [])
    // Of two that are there so often that neither fits, the smaller goes.
    #expect(Set(split([5, 5, 5, 6, 6], [0, 0, 0, 0, 0], share: 0.2).test) == [3, 4])
  }
}
