import Tensors
import Testing

@testable import Datasets

@Suite struct SplitTests {
  @Test(arguments: [0, 1, 10, 99, 100])
  func everyImageIsInExactlyOnePart(validation: Int) {
    let data = Dataset(
      shape: ImageShape(channels: 1, height: 1, width: 1), pixels: Array(0..<100),
      labels: Array(repeating: 0, count: 100), classes: ClassTable(values: [0]), source: "test")
    let split = data.split(validation: validation, seed: 1)
    #expect(split.validation.count == validation)
    #expect((split.training + split.validation).sorted() == Array(0..<100))
    #expect(split.validation == data.split(validation: validation, seed: 1).validation)
    if validation == 10 { #expect(split.validation != data.split(validation: 10, seed: 2).validation) }
  }
}
