import Datasets
import Images
import Tensors
import Testing

@testable import Reports

struct ThumbnailTests {
  private func thumbnail(_ shape: ImageShape, _ pixels: [UInt8]) -> Bitmap {
    Bitmap(
      thumbnailOf: 0,
      of: Dataset(shape: shape, pixels: pixels, labels: [0], classes: ClassTable(values: [0]), source: ""))
  }

  @Test func channelsBecomeGreyOrColour() {
    #expect(thumbnail(ImageShape(channels: 1, height: 1, width: 2), [1, 2]).pixels == [1, 2])
    #expect(thumbnail(ImageShape(channels: 2, height: 1, width: 2), [10, 20, 30, 41]).pixels == [20, 31])
    // Planes become triples.
    #expect(
      thumbnail(ImageShape(channels: 3, height: 1, width: 2), [1, 2, 3, 4, 5, 6]).pixels == [
        1, 3, 5, 2, 4, 6,
      ])
    #expect(
      thumbnail(ImageShape(channels: 4, height: 1, width: 2), [1, 2, 3, 4, 5, 6, 7, 8]).pixels == [
        1, 3, 5, 2, 4, 6,
      ])
  }

  @Test func largeImagesShrink() {
    let shape = ImageShape(channels: 1, height: 2, width: 130)
    let pixels = (0..<260).map { UInt8($0 % 130) }
    let small = thumbnail(shape, pixels)
    #expect(small.width == 43 && small.height == 1)
    // The mean of two rows of 0, 1, 2, then of 3, 4, 5.
    #expect(small.pixels.prefix(2) == [1, 4])
  }
}
