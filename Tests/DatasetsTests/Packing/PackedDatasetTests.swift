import Foundation
import Tensors
import Testing

@testable import Datasets

@Suite struct PackedDatasetTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let shape = ImageShape(channels: 1, height: 1, width: 2)

  /// Ten images of each class, all different.
  private func packed(
    _ names: [String], shape: ImageShape = shape, testShare: Double = 0.2, seed: UInt64 = 1
  ) throws(FileError) -> PackedDataset {
    let images = names.enumerated().flatMap { index, name in
      (0..<10).map { number in
        PackedImage(
          className: name,
          pixels: [UInt8(index), UInt8(number)] + [UInt8](repeating: 9, count: shape.count - 2))
      }
    }
    return try PackedDataset(images, shape: shape, testShare: testShare, seed: seed, origin: "pictures")
  }

  @Test func isReadBackAsADataSet() throws {
    let path = "\(folder.path)/new/set"
    let packed = try packed(["cat", "a dog", "日本"])
    #expect(
      try packed.write(to: path, gzip: false) == [
        "train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
        "t10k-labels-idx1-ubyte", "labels.txt",
      ])
    let source = DatasetSource(folder: path)
    let training = try source.load(.training)
    let test = try source.load(.test, classes: training.classes)
    #expect(training.classes == ClassTable(values: [0, 1, 2], names: ["a dog", "cat", "日本"]))
    #expect(training.shape == Self.shape && training.count == 24 && test.count == 6)
    #expect(packed.counts(of: packed.split.test) == [2, 2, 2])
    // The first pixel tells the class: the place in the list above.
    for data in [training, test] {
      for image in 0..<data.count { #expect([1, 0, 2][Int(data.labels[image])] == data.pixels[2 * image]) }
    }
    #expect(Set(training.images).union(test.images).count == 30)
    #expect(try folder.names == ["new"] && FileManager.default.contentsOfDirectory(atPath: path).count == 5)
  }

  @Test func digitsNeedNoNames() throws {
    let path = "\(folder.path)/set"
    #expect(try packed(["3", "7"]).write(to: path, gzip: true).last == "t10k-labels-idx1-ubyte.gz")
    #expect(try DatasetSource(folder: path).load(.test).classes == ClassTable(values: [3, 7]))
  }

  @Test func coloursMakeFourDimensions() throws {
    let path = "\(folder.path)/set"
    let shape = ImageShape(channels: 3, height: 2, width: 5)
    #expect(
      try packed(["3", "7"], shape: shape).write(to: path, gzip: false)[0] == "train-images-idx4-ubyte")
    #expect(try DatasetSource(folder: path).load(.training).shape == shape)
  }

  @Test func aPartWithoutImagesHasNoFiles() throws {
    for (share, part, other) in [(0.0, "train", DatasetSource.Part.test), (1, "t10k", .training)] {
      let path = "\(folder.path)/\(part)"
      let names = try packed(["3", "7"], testShare: share).write(to: path, gzip: false)
      #expect(names == ["\(part)-images-idx3-ubyte", "\(part)-labels-idx1-ubyte"])
      #expect(fileError { () throws(FileError) in try DatasetSource(folder: path).load(other) } != nil)
    }
  }

  @Test func hasTheSameBytesForOneSeed() throws {
    func contents(_ name: String, seed: UInt64) throws -> [[UInt8]] {
      let path = "\(folder.path)/\(name)"
      return try packed(["a", "b"], seed: seed).write(to: path, gzip: true).map {
        try bytes(atPath: "\(path)/\($0)")
      }
    }
    let first = try contents("1", seed: 5)
    #expect(try contents("2", seed: 5) == first)
    #expect(try contents("3", seed: 6) != first)
  }

  @Test func leavesWhatIsThereAlone() throws {
    let path = try folder.deepFile("set/kept", [1])
    let error = fileError { () throws(FileError) in
      try packed(["a"]).write(to: "\(folder.path)/set", gzip: false)
    }
    #expect(error?.kind == .unwritable && error?.found == "one with something in it")
    #expect(try bytes(atPath: path) == [1])
    #expect(try folder.names == ["set"])
  }

  @Test func needsAnImage() {
    let error = fileError { () throws(FileError) in
      try PackedDataset([], shape: Self.shape, testShare: 0.5, seed: 1, origin: "pictures")
    }
    #expect(error?.description.hasPrefix("pictures: expected pictures of classes, found none") == true)
  }
}
