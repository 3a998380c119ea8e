import Foundation
import Testing

@testable import Datasets

@Suite struct DatasetSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aFolderGivesBothParts() throws {
    try folder.file("train-images-idx3-ubyte", .images(4), gzip: true)
    try folder.file("train-labels-idx1-ubyte", .labels([1, 2, 5, 2]))
    try folder.file("t10k-images-idx3-ubyte", .images(2))
    try folder.file("t10k-labels-idx1-ubyte", .labels([5, 1]), gzip: true)
    try folder.file("labels.txt", Array("one\ntwo\nfive\n".utf8))
    let source = DatasetSource(folder: folder.path)
    let training = try source.load(.training)
    #expect(training.count == 4)
    #expect(training.shape.description == "1×3×2")
    #expect(training.pixels == (0..<24).map { UInt8($0) })
    #expect(training.labels == [0, 1, 2, 1])
    #expect(training.classes.names == ["one", "two", "five"])
    let test = try source.load(.test, classes: training.classes)
    #expect(test.labels == [2, 0])
    #expect(test.classes == training.classes)
  }

  @Test func namedFilesWithNamesAndTransposition() throws {
    let images = try folder.file("a", .images(2))
    let labels = try folder.file("b", .labels([9, 4]))
    let names = try ClassNames(argument: "four,nine")
    let source = DatasetSource(images: images, labels: labels, transpose: true, names: names)
    let dataset = try source.load(.test)
    #expect(dataset.shape.description == "1×2×3")
    #expect(dataset.pixels.prefix(6) == [0, 2, 4, 1, 3, 5])
    #expect(dataset.labels == [1, 0])
    #expect(dataset.classes.names == ["four", "nine"])
    #expect(dataset.source == images)
  }

  @Test func imagesAndLabelsMustGoTogether() throws {
    let images = try folder.file("a", .images(20))
    let labels = try folder.file("b", .labels([UInt8](repeating: 0, count: 19)))
    let source = DatasetSource(images: images, labels: labels)
    let error = try #require(fileError { () throws(FileError) in try source.load(.training) })
    #expect(error.expected == "20 labels, one for each image of \(images)")
    #expect(error.found == "19 labels")
    let swapped = DatasetSource(images: labels, labels: images)
    let other = fileError { () throws(FileError) in try swapped.load(.training) }
    #expect(other?.remedy?.contains("perhaps the two are swapped") == true)
  }

  static let mnist = ProcessInfo.processInfo.environment["INKLING_MNIST"]

  @Test(.enabled(if: mnist != nil, "INKLING_MNIST does not name a folder with MNIST's four files"))
  func mnistLoadsQuickly() throws {
    let source = DatasetSource(folder: try #require(Self.mnist))
    let clock = ContinuousClock()
    let start = clock.now
    let training = try source.load(.training)
    let test = try source.load(.test, classes: training.classes)
    let duration = clock.now - start
    print("70,000 images in \(duration)")
    #expect(training.count == 60_000 && test.count == 10_000)
    #expect(training.shape.description == "1×28×28")
    #expect(training.labels.prefix(10) == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4])
    #expect(test.labels.prefix(5) == [7, 2, 1, 0, 4])
    // A release build takes 0.3 s on two slow cores; a debug build spends more on the labels.
    #expect(duration < .seconds(5))
  }
}
