import Tensors
import Testing
import Training

@testable import Reports

struct FilterSheetTests {
  private func sheet(_ layers: String, channels: Int = 1, side: Int = 6) throws -> FilterSheet? {
    let architecture = try Architecture(
      input: ImageShape(channels: channels, height: side, width: side), parsing: layers)
    return FilterSheet(try Model(architecture: architecture, seed: 1))
  }

  @Test(arguments: [
    ("conv 3x3 5, relu, dense 2", 1, 5, 5 * 4 - 1, 3), ("conv 2x4 10, dense 2", 2, 10, 8 * 5 - 1, 2 * 3 - 1),
    ("dense 100, dense 2", 1, 64, 8 * 7 - 1, 8 * 7 - 1), ("batchnorm, relu, conv 3x3 2, dense 2", 3, 2, 7, 3),
  ])
  func filtersLieSideBySide(layers: String, channels: Int, shown: Int, width: Int, height: Int) throws {
    let sheet = try #require(try sheet(layers, channels: channels))
    #expect(sheet.shown == shown)
    #expect(sheet.picture.width == width && sheet.picture.height == height)
  }

  /// A dense layer on large images would make a page of many megabytes.
  @Test func largeFiltersShrink() throws {
    let sheet = try #require(try sheet("dense 9", channels: 1, side: 130))
    #expect(sheet.picture.width == 8 * 44 - 1 && sheet.picture.height == 2 * 44 - 1)
  }

  /// A run that diverged, or a damaged file.
  @Test(arguments: [1, 3])
  func weightsThatAreNoNumbersAreNotInTheWay(channels: Int) throws {
    let architecture = try Architecture(
      input: ImageShape(channels: channels, height: 1, width: 2), parsing: "dense 1")
    let weights: [Float] = [.nan, .infinity, -.infinity, 2, .greatestFiniteMagnitude, -1, 0]
    let model = Model(
      architecture: architecture, values: Array(weights.prefix(2 * channels)) + [0])
    let pixels = try #require(FilterSheet(model)).picture.pixels
    let expected: [UInt8] =
      channels == 1 ? [248, 248, 248, 255, 248, 248, 248, 255] : [127, 127, 255, 255, 127, 127, 127, 255]
    #expect(pixels == expected)
  }

  @Test(arguments: ["maxpool 2, conv 3x3 2, dense 2", "relu"])
  func aLayerThatDoesNotSeeTheImageIsNotShown(layers: String) throws {
    #expect(try sheet(layers) == nil)
  }

  @Test func positiveIsRedAndNegativeBlue() throws {
    let architecture = try Architecture(
      input: ImageShape(channels: 1, height: 1, width: 3), parsing: "dense 1")
    let model = Model(architecture: architecture, values: [1, -2, 0, 7])
    let picture = try #require(FilterSheet(model)).picture
    #expect(picture.pixels == [225, 164, 124, 255, 0, 102, 168, 255, 248, 248, 248, 255])
    // All weights 0: white, not a division by 0.
    let flat = try #require(FilterSheet(Model(architecture: architecture, values: [0, 0, 0, 0]))).picture
    #expect(flat.pixels == [248, 248, 248, 255, 248, 248, 248, 255, 248, 248, 248, 255])
  }
}
