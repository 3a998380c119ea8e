import Datasets
import Images
import Tensors
import Testing

@testable import Reports

struct ContactSheetTests {
  /// Images of one colour: the pixel is the image's number.
  private func data(
    _ labels: [UInt16], names: [String], channels: Int = 1, side: Int = 28
  ) -> Dataset {
    let shape = ImageShape(channels: channels, height: side, width: side)
    return Dataset(
      shape: shape, pixels: labels.indices.flatMap { [UInt8](repeating: UInt8($0), count: shape.count) },
      labels: labels, classes: ClassTable(values: Array(0..<names.count), names: names), source: "")
  }

  @Test func eachClassHasARow() throws {
    // Class 0 has the images 0, 2, 4, …, 18; class 1 has 1 alone; class 2 none.
    let labels = (0..<20).map { UInt16($0 == 1 ? 1 : $0 % 2 == 0 ? 0 : Int(Dataset.noClass)) }
    let sheet = ContactSheet(data(labels, names: ["A", "B", "C"]), count: 5)
    #expect(sheet.imageCount == 6)
    let picture = try #require(sheet.picture)
    // A margin, a letter of 10 and a margin; images of 56 with 2 between.
    #expect(picture.width == 22 + 5 * 58 + 6 && picture.height == 12 + 3 * 58 && picture.channels == 1)
    func pixel(_ x: Int, _ y: Int) -> UInt8 { picture.pixels[y * picture.width + x] }
    // At even distances from the ten.
    #expect((0..<5).map { pixel(22 + $0 * 58 + 20, 6 + 20) } == [0, 4, 8, 12, 16])
    #expect((0..<5).map { pixel(22 + $0 * 58 + 55, 6 + 58 + 55) } == [1, 238, 238, 238, 238])
    #expect((0..<5).map { pixel(22 + $0 * 58, 6 + 2 * 58) } == [238, 238, 238, 238, 238])
    // The names stand in front.
    for row in 0..<3 {
      let inks = (0..<58).flatMap { y in (0..<22).map { pixel($0, 6 + row * 58 + y) } }.count { $0 == 34 }
      #expect(inks > 20, "row \(row)")
    }
  }

  @Test func coloursAndSizesVary() throws {
    let color = try #require(
      ContactSheet(data([0, 1], names: ["x", "y"], channels: 3, side: 8), count: 9).picture)
    #expect(color.channels == 3 && color.width == 22 + 58 + 6)
    let large = try #require(ContactSheet(data([0], names: ["x"], side: 100), count: 9).picture)
    // Halved to 50, then doubled.
    #expect(large.width == 22 + 102 + 6)
    let named = data([0], names: [String(repeating: "long ", count: 30)])
    #expect(try #require(ContactSheet(named, count: 1).picture).width < 300)
  }

  @Test func aSheetMayBeTooLarge() {
    #expect(ContactSheet(data([UInt16](repeating: 0, count: 250), names: ["x"]), count: 250).picture != nil)
    let many = (0..<250).map { "\($0)" }
    #expect(ContactSheet(data((0..<250).map { UInt16($0) }, names: many, side: 64), count: 1).picture != nil)
    let more = data([0], names: (0..<1000).map { "\($0)" })
    #expect(ContactSheet(more, count: 1).picture == nil)
  }
}
