import Testing

@testable import Datasets

@Suite struct DatasetInventoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes images of two pixels, both the same.
  private func write(_ part: String, _ pixels: [UInt8], _ labels: [UInt8], gzip: Bool = false) throws {
    let images = IDX(
      elementType: .uint8, dimensions: [pixels.count, 1, 2], payload: pixels.flatMap { [$0, $0] })
    try folder.file("\(part)-images-idx3-ubyte", images, gzip: gzip)
    try folder.file("\(part)-labels-idx1-ubyte", .labels(labels), gzip: gzip)
  }

  @Test func countsByClassAndPart() throws {
    try write("train", [0, 255, 255, 7], [1, 1, 3, 5], gzip: true)
    try write("t10k", [20, 40], [3, 9])
    try folder.file("labels.txt", Array("one\nthree\nfive\n".utf8))
    let inventory = try DatasetInventory(folder: folder.path)
    // A label that training lacks has no name.
    #expect(inventory.classes == ClassTable(values: [1, 3, 5, 9], names: ["one", "three", "five", "9"]))
    #expect(inventory.parts.map(\.part) == [.training, .test])
    #expect(
      inventory.parts.map { part in [1, 3, 5, 9, 200].map(part.count) } == [
        [2, 1, 1, 0, 0], [0, 1, 0, 1, 0],
      ])
    // Of 20/255 and 40/255.
    let pixels = inventory.parts[1].pixels
    #expect(abs(pixels.mean - 30 / 255) < 1e-12 && abs(pixels.deviation - 10 / 255) < 1e-12)
  }

  @Test func findsWhatIsTheSame() throws {
    try write("train", [1, 2, 1, 1, 3, 4], [0, 0, 0, 1, 1, 1])
    try write("t10k", [3, 9, 9, 1, 4], [1, 0, 0, 0, 0])
    let inventory = try DatasetInventory(folder: folder.path)
    #expect(inventory.parts.map(\.repeatedCount) == [2, 1])
    #expect(inventory.leaks.map { [$0.test.index, $0.training.index] } == [[3, 0], [0, 4], [4, 5]])
    #expect(inventory.leaks.allSatisfy { $0.test.part == .test && $0.training.part == .training })
    // 1 is there as 0 and as 1; 4 as 1 in training and as 0 in test.
    func words(_ place: DatasetInventory.Place) -> String { "\(place.part) \(place.index) \(place.label)" }
    #expect(
      inventory.contradictions.map { "\(words($0.image)) - \(words($0.other))" } == [
        "training 0 0 - training 3 1", "training 2 0 - training 3 1", "training 3 1 - training 0 0",
        "test 3 0 - training 3 1", "training 5 1 - test 4 0", "test 4 0 - training 5 1",
      ])
  }

  @Test func onePartIsEnough() throws {
    try write("t10k", [1, 1], [4, 4])
    let inventory = try DatasetInventory(folder: folder.path)
    #expect(inventory.parts.map(\.part) == [.test] && inventory.parts[0].repeatedCount == 1)
    #expect(inventory.leaks.isEmpty && inventory.classes == ClassTable(values: [4]))
  }

  @Test func thePartsMayDifferInSize() throws {
    try write("train", [5], [0])
    try folder.file("t10k-images-idx3-ubyte", .images(1, height: 2, width: 2))
    try folder.file("t10k-labels-idx1-ubyte", .labels([0]))
    #expect(try DatasetInventory(folder: folder.path).leaks.isEmpty)
  }

  @Test func halfAPartIsAnError() throws {
    try write("train", [1], [0])
    try folder.file("t10k-labels-idx1-ubyte", .labels([0]))
    let error = fileError { () throws(FileError) in try DatasetInventory(folder: folder.path) }
    #expect(error?.kind == .missing && error?.expected.hasPrefix("test images") == true)
    let nothing = fileError { () throws(FileError) in try DatasetInventory(folder: TemporaryFolder.none) }
    #expect(nothing?.expected.contains("a folder with training and test files") == true)
  }
}

extension TemporaryFolder {
  /// The path of a folder that is not there.
  fileprivate static let none = "/nowhere/at/all"
}
