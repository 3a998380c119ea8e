import Tensors
import Testing

@testable import Datasets

@Suite struct PixelLayoutTests {
  static let shapes: [([Int], ImageShape)] = [
    ([5, 28, 20], ImageShape(channels: 1, height: 28, width: 20)),
    ([5, 784], ImageShape(channels: 1, height: 28, width: 28)),
    ([5, 3, 32, 30], ImageShape(channels: 3, height: 32, width: 30)),
    ([5, 32, 30, 4], ImageShape(channels: 4, height: 32, width: 30)),
    ([5, 2, 28, 4], ImageShape(channels: 2, height: 28, width: 4)),
    ([5, 1, 28, 1], ImageShape(channels: 1, height: 28, width: 1)),
    ([1, 1, 1], ImageShape(channels: 1, height: 1, width: 1)),
  ]

  @Test(arguments: shapes) func shape(dimensions: [Int], shape: ImageShape) throws {
    #expect(try PixelLayout(dimensions: dimensions, path: "x").shape == shape)
  }

  static let refused: [([Int], String)] = [
    ([20], "1 dimension of 20"), ([20, 8], "2 dimensions of 20×8"),
    ([20, 5, 28, 28], "4 dimensions of 20×5×28×28"),
    ([1, 1, 1, 1, 1], "5 dimensions of 1×1×1×1×1…"),
    ([0, 28, 28], "an empty set (0×28×28)"), ([20, 0, 28], "an empty set (20×0×28)"),
    ([0, 0], "an empty set (0×0)"),
  ]

  @Test(arguments: refused) func refusal(dimensions: [Int], found: String) throws {
    let error = fileError { () throws(FileError) in try PixelLayout(dimensions: dimensions, path: "x") }
    #expect(error?.found == found)
  }

  @Test func channelsLastBecomesChannelsFirst() throws {
    var last = try PixelLayout(dimensions: [2, 5, 1, 2], path: "x")
    let pixels = (0..<20).map { UInt8($0) }
    let arranged: [UInt8] = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9, 10, 12, 14, 16, 18, 11, 13, 15, 17, 19]
    #expect(last.arranged(pixels, count: 2) == arranged)
    last.transpose()
    #expect(last.shape == ImageShape(channels: 2, height: 1, width: 5))
    #expect(last.arranged(pixels, count: 2) == arranged)
  }
}
