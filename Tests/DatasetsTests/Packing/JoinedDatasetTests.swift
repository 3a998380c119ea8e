import Foundation
import Testing
import Tensors

@testable import Datasets

struct JoinedDatasetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  /// Writes images of 28 × 28, each a bar, taller by the number.
  private func write(
    _ name: String, training: [UInt8], test: [UInt8] = [], side: Int = 28, channels: Int = 1,
    names: String? = nil
  ) throws {
    try makeFolder(name)
    for (part, labels) in [(DatasetSource.Part.training, training), (.test, test)] where !labels.isEmpty {
      let pixels = labels.indices.flatMap { number -> [UInt8] in
        (0..<channels * side * side).map { place in
          let (x, y) = (place % side, place / side % side)
          return (2..<5).contains(x) && (1..<min(side, 9 + number)).contains(y) ? 200 : 0
        }
      }
      let extents = channels == 1 ? [side, side] : [channels, side, side]
      let images = IDX(elementType: .uint8, dimensions: [labels.count] + extents, payload: pixels)
      try folder.file("\(name)/\(part.fileName(.images, rank: extents.count + 1))", images)
      let numbers = IDX(elementType: .uint8, dimensions: [labels.count], payload: labels)
      try folder.file("\(name)/\(part.fileName(.labels, rank: 1))", numbers)
    }
    if let names { try folder.file("\(name)/labels.txt", Array(names.utf8)) }
  }

  private func join(_ names: String..., limit: Int? = nil, fitsInk: Bool = false) throws -> JoinedDataset {
    try JoinedDataset(folders: names.map(path), limit: limit, fitsInk: fitsInk)
  }

  @Test func partsAreJoinedWithTheirKind() throws {
    try write("a", training: [3, 1, 3], test: [1])
    try write("b", training: [7], test: [7, 3])
    _ = try join("a", "b").write(to: path("both"), gzip: true)
    let (a, b) = (DatasetSource(folder: path("a")), DatasetSource(folder: path("b")))
    let both = DatasetSource(folder: path("both"))
    for part in [DatasetSource.Part.training, .test] {
      let data = try both.load(part)
      #expect(data.pixels == (try a.load(part).pixels + b.load(part).pixels))
    }
    let training = try both.load(.training)
    #expect(training.classes.values == [1, 3, 7] && training.labels == [1, 0, 1, 2])
  }

  @Test func aPartIsTakenAtEvenDistances() throws {
    try write("a", training: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], test: [0, 1])
    let joined = try join("a", limit: 4)
    #expect(joined.counts == [4, 2])
    _ = try joined.write(to: path("few"), gzip: false)
    let few = try DatasetSource(folder: path("few")).load(.training)
    #expect(few.classes.values == [0, 2, 5, 7])
  }

  @Test func inkIsFitted() throws {
    try write("small", training: [0, 1, 0], side: 16)
    try write("large", training: [1], side: 40)
    _ = try join("small", "large", fitsInk: true).write(to: path("fitted"), gzip: false)
    let data = try DatasetSource(folder: path("fitted")).load(.training)
    #expect(data.shape == ImageShape(channels: 1, height: 28, width: 28) && data.count == 4)
    // A bar of 20 pixels in the middle.
    #expect(data.pixels[14 * 28 + 14] == 255 && data.pixels[14 * 28 + 4] == 0)
    let joined = try join("small", fitsInk: true)
    #expect(joined.leftOutCount == 0)
  }

  @Test func imagesWithoutInkAreLeftOutAndCounted() throws {
    try makeFolder("blank")
    let images = IDX(elementType: .uint8, dimensions: [2, 9, 9], payload: [UInt8](repeating: 7, count: 162))
    try folder.file("blank/train-images-idx3-ubyte", images)
    try folder.file("blank/train-labels-idx1-ubyte", IDX.labels([0, 1]))
    let joined = try join("blank", fitsInk: true)
    #expect(joined.leftOutCount == 2 && joined.counts == [0, 0])
    let error = fileError { () throws(FileError) in try joined.write(to: path("none"), gzip: false) }
    #expect(error?.found == "none, of 2 images" && !FileManager.default.fileExists(atPath: path("none")))
  }

  /// Larger than Ink looks at in full.
  @Test func largeImagesAreMadeSmallerFirst() throws {
    try makeFolder("large")
    let (width, height) = (1_300, 1_000)
    let pixels = (0..<width * height).map { UInt8((600..<680).contains($0 % width) ? 255 : 0) }
    let images = IDX(elementType: .uint8, dimensions: [1, height, width], payload: pixels)
    try folder.file("large/train-images-idx3-ubyte", images)
    try folder.file("large/train-labels-idx1-ubyte", IDX.labels([1]))
    #expect(try join("large", fitsInk: true).counts == [1, 0])
  }

  @Test func labelsThatNoByteHoldsAreRefused() throws {
    try makeFolder("signed")
    try folder.file(
      "signed/train-images-idx3-ubyte",
      IDX(elementType: .uint8, dimensions: [2, 2, 2], payload: [1, 2, 3, 4, 5, 6, 7, 8]))
    try folder.file(
      "signed/train-labels-idx1-ubyte", IDX(elementType: .int8, dimensions: [2], payload: [0xFF, 1]))
    let error = #expect(throws: FileError.self) { try join("signed") }
    #expect(error?.expected == "label values from 0 to 254" && error?.found == "-1")
  }

  @Test func namesAreKeptAndHaveToAgree() throws {
    try write("a", training: [0, 1], test: [1], names: "cat\ndog\n")
    try write("b", training: [1, 0], names: "cat\ndog\n")
    try write("c", training: [1, 0], names: "dog\ncat\n")
    try write("d", training: [0, 1])
    #expect(try join("a", "b").classes.names == ["cat", "dog"])
    for other in ["c", "d"] {
      let error = #expect(throws: FileError.self) { try join("a", other) }
      #expect(error?.description.contains("class 'cat' as label 0") == true, "\(String(describing: error))")
    }
  }

  @Test func sizesHaveToAgree() throws {
    try write("a", training: [0])
    try write("b", training: [0], side: 20)
    try write("c", training: [0], channels: 3)
    let error = #expect(throws: FileError.self) { try join("a", "b") }
    #expect(error?.description.contains("found images of 1×20×20") == true)
    #expect(throws: FileError.self) { try join("c", fitsInk: true) }
  }
}
