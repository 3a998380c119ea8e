import Kernels
import Tensors
import Testing

@Suite struct CorrelationTests {
  @Test(arguments: KernelSet.tested, Sizes.rows)
  func agreesWithThePlainLoop(kernels: KernelSet, rows: Int) {
    for inner in Sizes.inner {
      for width in Sizes.widths {
        for (height, gap) in [(1, 0), (1, 3), (3, 0), (2, 1), (3, 7)] {
          for hasBias in [false, true] {
            check(kernels, rows, inner: inner, height: height, width: width, pitch: width + gap, hasBias)
          }
        }
      }
    }
  }

  private func check(
    _ kernels: KernelSet, _ rows: Int, inner: Int, height: Int, width: Int, pitch: Int, _ hasBias: Bool
  ) {
    // In no order, and some at the same place.
    let offsets = (0..<inner).map { Int32($0 * 37 % 53) }
    let places = (height - 1) * pitch + width
    let image = normalValues(Int(offsets.max() ?? 0) + places, seed: 1)
    let weights = normalValues(rows * inner, seed: 2)
    let bias = hasBias ? normalValues(rows, seed: 3) : nil

    let input = FencedMemory(image, slack: 15)
    let packed = FencedMemory<Float>(count: rows * inner)
    kernels.packRows(weights, rows: rows, inner: inner, rowStep: inner, innerStep: 1, into: packed.start)
    let strip = FencedMemory<Float>(count: KernelSet.stripRows * (height * pitch + KernelSet.columns))
    let output = FencedMemory<Float>(count: rows * height * width)
    let (table, biases) = (FencedMemory(offsets), bias.map { FencedMemory($0) })
    kernels.run(
      InklingCorrelation(
        rowCount: rows, inner: inner, height: height, width: width, pitch: pitch, rows: packed.start,
        bias: biases?.start, in: input.start, offsets: table.start, strip: strip.start, out: output.start))

    var expected: [PlainSum] = []
    for row in 0..<rows {
      for y in 0..<height {
        for x in 0..<width {
          var sum = PlainSum(bias?[row] ?? 0)
          for k in 0..<inner { sum.add(weights[row * inner + k], image[Int(offsets[k]) + y * pitch + x]) }
          expected.append(sum)
        }
      }
    }
    let fault = fault(output.values, expected)
    #expect(fault == nil, "inner \(inner), \(height)×\(width), pitch \(pitch), bias \(hasBias)")
    #expect(output.isIntact && strip.isIntact)
  }
}
