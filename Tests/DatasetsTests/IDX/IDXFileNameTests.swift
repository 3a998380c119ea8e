import Testing

@testable import Datasets

@Suite struct IDXFileNameTests {
  /// Name, set, part, kind.
  static let names: [(String, String, DatasetSource.Part, IDXFileName.Kind)] = [
    ("train-images-idx3-ubyte", "", .training, .images),
    ("train-images.idx3-ubyte", "", .training, .images),
    ("train_images.idx3.gz", "", .training, .images),
    ("Train-Labels-IDX1-UByte.GZ", "", .training, .labels),
    ("t10k-labels-idx1-ubyte.gz", "", .test, .labels),
    ("test-images-idx4-float", "", .test, .images),
    ("train-labels.idx", "", .training, .labels),
    ("emnist-digits-test-images-idx3-ubyte.gz", "emnist-digits", .test, .images),
    ("emnist-mnist-train-labels-idx1-ubyte", "emnist-mnist", .training, .labels),
    ("qmnist-train-labels-idx2-int.gz", "qmnist", .training, .labels),
  ]

  @Test(arguments: names)
  func name(name: String, set: String, part: DatasetSource.Part, kind: IDXFileName.Kind) throws {
    let parsed = try #require(IDXFileName(name))
    #expect(parsed.set == set)
    #expect(parsed.part == part)
    #expect(parsed.kind == kind)
    #expect(parsed.isCompressed == name.lowercased().hasSuffix(".gz"))
    #expect(parsed.name == name)
  }

  @Test(arguments: [
    "", ".gz", "idx3", "images-idx3-ubyte", "train-images", "train-images-idx3-ubyte (1).gz",
    "train-images-idx3-ubyte.gz.tmp", "._train-images-idx3-ubyte", "train-pictures-idx3-ubyte",
    "valid-images-idx3-ubyte", "qmnist-train-labels.tsv.gz", "train-images-idx33-ubyte",
  ])
  func otherNames(name: String) {
    #expect(IDXFileName(name) == nil)
  }
}
