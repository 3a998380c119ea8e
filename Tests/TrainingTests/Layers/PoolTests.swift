import Tensors
import Testing

@testable import Training

@Suite struct PoolTests {
  @Test func maximumAndMeanOfEachWindow() throws {
    let input = ImageShape(channels: 1, height: 3, width: 5)
    let x: [Float] = [1, 2, 3, 4, 9, 5, 8, 7, 6, 9, 9, 9, 9, 9, 9]
    // The last row and column do not fill a window.
    #expect(try SingleLayer("maxpool 2", input: input, count: 1).forward(x, []) == [8, 7])
    #expect(try SingleLayer("avgpool 2", input: input, count: 1).forward(x, []) == [4, 5])
    #expect(try SingleLayer("globalavgpool", input: input, count: 1).forward(x, []) == [99.0 / 15])
  }

  @Test func theFirstOfEqualMaximaTakesTheGradient() throws {
    let single = try SingleLayer("maxpool 2", input: ImageShape(channels: 1, height: 2, width: 2), count: 1)
    #expect(single.backward([3, 3, 3, 3], [], outputGradient: [1]).input == [1, 0, 0, 0])
  }

  @Test(arguments: 0..<4)
  func aNaNAnywhereIsKept(place: Int) throws {
    var x: [Float] = [1, 2, 3, 4]
    x[place] = .nan
    let single = try SingleLayer("maxpool 2", input: ImageShape(channels: 1, height: 2, width: 2), count: 1)
    #expect(single.forward(x, [])[0].isNaN)
  }

  @Test func aWindowTooLargeForAByteIsRefused() {
    #expect(throws: ArchitectureError.self) {
      try Architecture(input: ImageShape(channels: 1, height: 40, width: 40), parsing: "maxpool 17")
    }
  }
}
