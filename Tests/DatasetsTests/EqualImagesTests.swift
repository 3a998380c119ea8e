import Testing

@testable import Datasets

@Suite struct EqualImagesTests {
  @Test func findsTheFirstWithTheSamePixels() {
    let images: [[UInt8]] = [[1, 2], [2, 1], [1, 2], [0, 0], [2, 1], [1, 2]]
    let equal = EqualImages(images.map { $0[...] })
    #expect(equal.firsts == [0, 1, 0, 3, 1, 0])
    #expect(equal.groups == [[0, 2, 5], [1, 4]])
    // The same out of one array, where each has a place of its own.
    let joined = images.flatMap(\.self)
    #expect(EqualImages((0..<6).map { joined[2 * $0..<2 * $0 + 2] }).firsts == equal.firsts)
    #expect(EqualImages([]).groups.isEmpty)
  }
}
