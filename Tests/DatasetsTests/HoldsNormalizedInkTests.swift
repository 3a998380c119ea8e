import Datasets
import Tensors
import Testing

struct HoldsNormalizedInkTests {
  @Test func picturesThatLieLikeMNISTAreTold() throws {
    var digit = [UInt8](repeating: 0, count: 784)
    for row in 5..<24 { digit[row * 28 + 14] = 255 }
    var off = digit
    off[3 * 28 + 3] = 255
    func data(_ digits: Int, _ others: Int) -> Dataset {
      let pixels = (0..<digits).flatMap { _ in digit } + (0..<others).flatMap { _ in off }
      return Dataset(
        shape: ImageShape(channels: 1, height: 28, width: 28), pixels: pixels,
        labels: [UInt16](repeating: 0, count: digits + others), classes: ClassTable(values: [0]), source: "")
    }
    #expect(data(10, 0).holdsNormalizedInk && data(9, 1).holdsNormalizedInk)
    #expect(
      !data(8, 2).holdsNormalizedInk && !data(0, 5).holdsNormalizedInk && !data(0, 0).holdsNormalizedInk)
    let wide = Dataset(
      shape: ImageShape(channels: 1, height: 14, width: 56), pixels: digit, labels: [0],
      classes: ClassTable(values: [0]), source: "")
    #expect(!wide.holdsNormalizedInk)
  }
}
