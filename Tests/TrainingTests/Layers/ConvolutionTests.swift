import Tensors
import Testing

@testable import Training

@Suite struct ConvolutionTests {
  /// The convolution as its definition reads, in Double.
  static func plainLoop(
    _ convolution: Convolution, _ x: [Float], _ w: [Float], input: ImageShape, output: ImageShape
  ) -> [Double] {
    let (kernel, stride, groups) = (convolution.kernel, convolution.stride, convolution.groups)
    let depth = input.channels / groups
    func before(_ outputs: Int, _ stride: Int, _ kernel: Int, _ inputs: Int) -> Int {
      convolution.padding == .valid ? 0 : max(0, (outputs - 1) * stride + kernel - inputs) / 2
    }
    let top = before(output.height, stride.height, kernel.height, input.height)
    let left = before(output.width, stride.width, kernel.width, input.width)
    var result: [Double] = []
    for filter in 0..<convolution.filters {
      let group = filter / (convolution.filters / groups)
      for y in 0..<output.height {
        for x0 in 0..<output.width {
          var sum = convolution.hasBias ? Double(w[convolution.filters * depth * kernel.count + filter]) : 0
          for c in 0..<depth {
            for ky in 0..<kernel.height {
              for kx in 0..<kernel.width {
                let (row, column) = (y * stride.height + ky - top, x0 * stride.width + kx - left)
                guard (0..<input.height).contains(row), (0..<input.width).contains(column) else { continue }
                let pixel = x[((group * depth + c) * input.height + row) * input.width + column]
                let weight = w[((filter * depth + c) * kernel.height + ky) * kernel.width + kx]
                sum += Double(pixel) * Double(weight)
              }
            }
          }
          result.append(sum)
        }
      }
    }
    return result
  }

  @Test(
    arguments: [
      "conv 3x3 32", "conv 5x5 6 same", "conv 3x3 17 stride 2 same", "conv 2x2 3 stride 2 same",
      "conv 1x1 8", "conv 1x7 2", "conv 4x4 4 same", "conv 3x3 2 stride 3", "conv 7x7 1 same nobias",
      "conv 2x3 33 stride 3x1", "conv 1x1 3 stride 2",
    ], [(1, 28, 28), (3, 9, 11), (17, 7, 8), (2, 7, 40)])
  func agreesWithThePlainLoop(text: String, shape: (Int, Int, Int)) throws {
    let input = ImageShape(channels: shape.0, height: shape.1, width: shape.2)
    try check(text, input)
  }

  @Test(arguments: [
    "conv 3x3 6 groups 2", "depthwise 3x3 same", "conv 3x3 8 stride 2 groups 4 same", "depthwise 5x5",
  ])
  func groupsAgreeWithThePlainLoop(text: String) throws {
    try check(text, ImageShape(channels: 4, height: 8, width: 9))
  }

  private func check(_ text: String, _ input: ImageShape) throws {
    for kernels in KernelSet.available {
      var single = try SingleLayer(text, input: input, count: 2)
      single.kernels = kernels
      guard case .convolution(let convolution) = single.layer else { return }
      let x = normalValues(2 * input.count, seed: 1)
      let w = normalValues(single.parameterCount, seed: 2)
      let y = single.forward(x, w)
      for image in 0..<2 {
        let pixels = Array(x[image * input.count..<(image + 1) * input.count])
        let expected = Self.plainLoop(convolution, pixels, w, input: input, output: single.output)
        let found = y[image * single.output.count..<(image + 1) * single.output.count]
        // Float32 sums of up to 17 · 49 products of size about 1.
        let isNear = zip(found, expected).allSatisfy { abs(Double($0) - $1) < 1e-4 }
        #expect(isNear, "\(kernels.name)")
      }
    }
  }

  @Test func shapesFollowTheUsualFormulas() throws {
    func output(_ text: String, _ height: Int, _ width: Int) throws -> ImageShape {
      try Architecture(input: ImageShape(channels: 1, height: height, width: width), parsing: text).output
    }
    #expect(try output("conv 3x3 2", 28, 28) == ImageShape(channels: 2, height: 26, width: 26))
    #expect(try output("conv 3x3 2 same", 28, 27) == ImageShape(channels: 2, height: 28, width: 27))
    #expect(try output("conv 3x3 2 stride 2", 28, 27) == ImageShape(channels: 2, height: 13, width: 13))
    #expect(try output("conv 3x3 2 stride 2 same", 28, 27) == ImageShape(channels: 2, height: 14, width: 14))
    #expect(try output("maxpool 2", 7, 6) == ImageShape(channels: 1, height: 3, width: 3))
  }
}
