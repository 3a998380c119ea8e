import Testing

@testable import Tensors

@Suite struct TensorTests {
  @Test func elementsAreRowMajor() {
    let matrix = Tensor(shape: [2, 3], elements: [1, 2, 3, 4, 5, 6])
    #expect(matrix[1, 0] == 4)
    #expect(matrix.transposed() == Tensor(shape: [3, 2], elements: [1, 4, 2, 5, 3, 6]))
  }

  @Test func shapesSayWhatTheyAre() {
    let image = ImageShape(channels: 3, height: 4, width: 5)
    #expect(image.count == 60 && image.planeCount == 20 && "\(image)" == "3×4×5")
    #expect("\(ImageShape(channels: 120, height: 1, width: 1))" == "120")
  }
}
