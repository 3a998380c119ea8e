import Tensors
import Testing

@Suite struct PackingTests {
  /// In which order is the set's own affair: the other tests see that its loops find each value.
  @Test(arguments: KernelSet.tested, Sizes.rows)
  func rowsAreAllThereOnce(kernels: KernelSet, rows: Int) {
    for inner in Sizes.inner {
      let numbers = (0..<rows * inner).map { Float($0) }
      let matrix = FencedMemory(numbers)
      let plain = FencedMemory<Float>(count: rows * inner)
      kernels.packRows(
        matrix.start, rows: rows, inner: inner, rowStep: inner, innerStep: 1, into: plain.start)
      #expect(plain.values.sorted() == numbers)
      #expect(plain.isIntact)

      // The same matrix by columns gives the same.
      let turned = FencedMemory((0..<inner * rows).map { numbers[$0 % rows * inner + $0 / rows] })
      let packed = FencedMemory<Float>(count: rows * inner)
      kernels.packRows(
        turned.start, rows: rows, inner: inner, rowStep: 1, innerStep: rows, into: packed.start)
      #expect(packed.values == plain.values)
    }
  }

  /// 17 filters: a panel takes the first 16.
  @Test(arguments: KernelSet.tested, Sizes.filters)
  func panelsAreFilledUpWithZeros(kernels: KernelSet, filters: Int) {
    for places in Sizes.widths {
      let step = places + 3
      let planes = normalValues(filters * step, seed: 1)
      let input = FencedMemory(planes)
      let panel = FencedMemory<Float>(count: places * KernelSet.columns)
      kernels.packPanel(input.start, filters: filters, places: places, step: step, into: panel.start)
      let expected = (0..<places * KernelSet.columns).map {
        let (place, filter) = ($0 / KernelSet.columns, $0 % KernelSet.columns)
        return filter < filters ? planes[filter * step + place] : 0
      }
      #expect(panel.values == expected)
      #expect(panel.isIntact)
    }
  }
}
