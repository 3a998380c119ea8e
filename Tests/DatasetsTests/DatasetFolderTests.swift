import Foundation
import Testing

@testable import Datasets

@Suite struct DatasetFolderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func fill(_ names: String...) throws {
    for name in names { try folder.file(name, [0]) }
  }

  func pair(_ part: DatasetSource.Part) throws(FileError) -> [String] {
    let pair = try DatasetFolder(path: folder.path).pair(part)
    return [pair.images, pair.labels].map { String($0.dropFirst(folder.path.count + 1)) }
  }

  func problem(_ part: DatasetSource.Part) -> FileError? {
    fileError { () throws(FileError) in try pair(part) }
  }

  @Test func rawComesBeforeGzipOfTheSameName() throws {
    try fill("train-images-idx3-ubyte", "train-images-idx3-ubyte.gz", "train-labels.idx1-ubyte.gz")
    #expect(try pair(.training) == ["train-images-idx3-ubyte", "train-labels.idx1-ubyte.gz"])
  }

  @Test func aSetsNameMayStandInFront() throws {
    try fill(
      "emnist-digits-train-images-idx3-ubyte.gz", "emnist-digits-train-labels-idx1-ubyte.gz",
      "emnist-digits-test-images-idx3-ubyte", "emnist-digits-test-labels-idx1-ubyte", "readme.txt")
    #expect(
      try pair(.test) == ["emnist-digits-test-images-idx3-ubyte", "emnist-digits-test-labels-idx1-ubyte"])
  }

  @Test func severalSetsAreListed() throws {
    try fill(
      "emnist-digits-train-images-idx3-ubyte", "emnist-digits-train-labels-idx1-ubyte",
      "emnist-balanced-test-images-idx3-ubyte", "emnist-balanced-test-labels-idx1-ubyte")
    for part in [DatasetSource.Part.training, .test] {
      let error = try #require(problem(part))
      #expect(error.found.contains("emnist-digits-train-images-idx3-ubyte"))
      #expect(error.found.contains("emnist-balanced-test-labels-idx1-ubyte"))
      #expect(error.remedy?.hasPrefix("name the files one by one") == true)
    }
  }

  @Test func twoSpellingsOfOneFileAreListed() throws {
    try fill("t10k-images-idx3-ubyte", "t10k-images.idx3-ubyte", "t10k-labels-idx1-ubyte")
    #expect(problem(.test)?.found == "several: t10k-images-idx3-ubyte, t10k-images.idx3-ubyte")
  }

  @Test func aMissingFileSaysWhichNamesWereLookedFor() throws {
    #expect(problem(.training)?.found == "no IDX file")
    try fill("train-labels-idx1-ubyte")
    let images = try #require(problem(.training))
    #expect(images.kind == .missing)
    #expect(
      images.expected
        == "training images, train-images-idx3-ubyte or train-images.idx3-ubyte, with or without .gz")
    #expect(images.found == "only train-labels-idx1-ubyte")
    try fill("emnist-digits-test-images-idx3-ubyte")
    #expect(
      problem(.test)?.expected.hasPrefix("test labels, emnist-digits-test-labels-idx1-ubyte or") == true)
  }

  @Test func aMissingFolderNamesTheCommandThatMakesIt() {
    func problem(_ path: String) -> FileError? {
      fileError { () throws(FileError) in try DatasetFolder(path: path) }
    }
    #expect(problem("\(folder.path)/Data/mnist/")?.remedy == "run \"make mnist\" to fetch the set")
    #expect(problem("\(folder.path)/other")?.remedy == "check the folder, or name the files one by one")
    #expect(problem("/dev/null")?.found == "a file")
  }

  @Test func aFolderCalledLikeAFileIsPassedOver() throws {
    let name = "train-images-idx3-ubyte"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    try fill("train-images.idx3-ubyte", "train-labels.idx1-ubyte")
    #expect(try pair(.training) == ["train-images.idx3-ubyte", "train-labels.idx1-ubyte"])
  }

  @Test func namesAreFoundInTheFolder() throws {
    #expect(try DatasetFolder(path: folder.path).classNames() == nil)
    try folder.file("emnist-digits-mapping.txt", Array("0 48\n".utf8))
    #expect(try DatasetFolder(path: folder.path).classNames()?.origin.hasSuffix("mapping.txt") == true)
    try folder.file("labels.txt", Array("a\n".utf8))
    let error = fileError { () throws(FileError) in try DatasetFolder(path: folder.path).classNames() }
    #expect(error?.found == "several: emnist-digits-mapping.txt, labels.txt")
  }
}
