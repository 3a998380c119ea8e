import Kernels
import Tensors
import Testing

@Suite struct OuterProductTests {
  @Test(arguments: KernelSet.tested, Sizes.rows + [64])
  func agreesWithThePlainLoop(kernels: KernelSet, inner: Int) {
    for filters in Sizes.filters where filters <= KernelSet.columns {
      for width in Sizes.widths {
        for (height, gap) in [(1, 0), (1, 3), (3, 0), (2, 1), (3, 7)] {
          check(kernels, inner, filters: filters, height: height, width: width, pitch: width + gap)
        }
      }
    }
  }

  /// More places than one stretch of the panel has, in many rows, in few, and in one.
  @Test(arguments: KernelSet.tested, [(28, 28), (2, 300), (1, 600)])
  func stretchesAdjoin(kernels: KernelSet, extent: (height: Int, width: Int)) {
    check(
      kernels, 13, filters: 16, height: extent.height, width: extent.width, pitch: extent.width + 2)
  }

  private func check(
    _ kernels: KernelSet, _ inner: Int, filters: Int, height: Int, width: Int, pitch: Int
  ) {
    let columns = KernelSet.columns
    let offsets = (0..<inner).map { Int32($0 * 37 % 53) }
    let image = normalValues(Int(offsets.max() ?? 0) + (height - 1) * pitch + width, seed: 1)
    let planes = normalValues(filters * height * width, seed: 2)
    let before = normalValues(inner * columns, seed: 3)

    let panel = FencedMemory<Float>(count: height * width * columns)
    kernels.packPanel(
      planes, filters: filters, places: height * width, step: height * width, into: panel.start)
    let (input, table, sums) = (FencedMemory(image), FencedMemory(offsets), FencedMemory(before))
    kernels.run(
      InklingOuterProduct(
        inner: inner, height: height, width: width, pitch: pitch, in: input.start, panel: panel.start,
        offsets: table.start, sums: sums.start))

    var expected = before.map { PlainSum($0) }
    for k in 0..<inner {
      for filter in 0..<filters {
        for y in 0..<height {
          for x in 0..<width {
            expected[k * columns + filter].add(
              image[Int(offsets[k]) + y * pitch + x], planes[(filter * height + y) * width + x])
          }
        }
      }
    }
    let fault = fault(sums.values, expected)
    #expect(fault == nil, "\(filters) filters, \(height)×\(width), pitch \(pitch)")
    #expect(sums.isIntact)
  }
}
