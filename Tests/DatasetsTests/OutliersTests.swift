import Tensors
import Testing

@testable import Datasets

@Suite struct OutliersTests {
  private let data = Dataset(
    shape: ImageShape(channels: 1, height: 2, width: 2), pixels: Array(repeating: 9, count: 40),
    labels: [0, 1, 1, 0, 1, 1, 1, 0, 1, 1], classes: ClassTable(values: [3, 5]), source: "ten images")

  @Test func outliersComeBehindAndAreNeverSetAside() throws {
    let folder = try TemporaryFolder()
    let first = try folder.file("a", IDX(dimensions: [3, 2, 2], bytes: Array(0..<12)))
    let second = try folder.file("b", IDX(dimensions: [1, 2, 2], bytes: [7, 7, 7, 7]), gzip: true)
    let all = try data.withOutliers([first, second])
    #expect(all.count == 14 && all.outlierCount == 4)
    #expect(all.pixels.suffix(16) == Array(0..<12) + [7, 7, 7, 7])
    #expect(all.classCounts(of: 0..<14) == [3, 7])
    for validation in [0, 4, 10] {
      let split = all.split(validation: validation, seed: 1)
      // The same images are set aside as without outliers.
      #expect(split.validation == data.split(validation: validation, seed: 1).validation)
      #expect((split.training + split.validation).sorted() == Array(0..<14))
    }
  }

  @Test func outliersOfAnotherShapeAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("wide", IDX(dimensions: [1, 2, 3], bytes: Array(0..<6)))
    #expect {
      try data.withOutliers([path])
    } throws: { error in
      "\(error)".contains("wide")
        && "\(error)".contains("expected images of 1×2×2, as in ten images, found images of 1×2×3")
    }
  }
}
