import Kernels
import Tensors
import Testing

@Suite struct MaximumTests {
  struct Window: CustomTestStringConvertible {
    let height: Int
    let width: Int
    var testDescription: String { "\(height)×\(width)" }
  }

  /// The last has as many places as a byte can number.
  static let windows = [(1, 1), (2, 2), (3, 3), (2, 3), (16, 16)].map { Window(height: $0.0, width: $0.1) }

  @Test(arguments: KernelSet.tested, windows)
  func agreesWithThePlainLoop(kernels: KernelSet, window: Window) {
    for width in [1, 2, 3, 4, 5, 7, 8, 9, 11, 15, 16, 17, 20, 33] {
      for (strideY, strideX) in [(1, 1), (2, 2), (3, 3), (1, 2), (2, 1), (1, 3)] {
        // Columns that no window reaches, or none.
        for rest in [0, 1] {
          let inWidth = (width - 1) * strideX + window.width + rest
          let job = InklingMaximum(
            inWidth: inWidth, outHeight: 3, outWidth: width, windowHeight: window.height,
            windowWidth: window.width, strideY: strideY, strideX: strideX, in: nil, out: nil, places: nil)
          let count = (2 * strideY + window.height - 1) * inWidth + inWidth - rest
          check(kernels, job, normalValues(count, seed: 1))
          // Many equals, of which the first counts.
          check(kernels, job, normalValues(count, seed: 2).map { $0.rounded() })
          check(kernels, job, [Float](repeating: -.infinity, count: count))
          // A NaN in every place of a window, with finite values or NaNs beside it.
          check(kernels, job, normalValues(count, seed: 3).map { $0 > 1 ? .nan : $0 })
        }
      }
    }
  }

  @Test(arguments: KernelSet.tested, [1, 2, 3])
  func aNaNCountsInAnyPlace(kernels: KernelSet, stride: Int) {
    for width in [2, 20] {
      let inWidth = (width - 1) * stride + 3
      let job = InklingMaximum(
        inWidth: inWidth, outHeight: 1, outWidth: width, windowHeight: 3, windowWidth: 3, strideY: 1,
        strideX: stride, in: nil, out: nil, places: nil)
      for place in 0..<3 * inWidth {
        var values = normalValues(3 * inWidth, seed: 4)
        values[place] = .nan
        check(kernels, job, values)
      }
    }
  }

  private func check(_ kernels: KernelSet, _ shape: InklingMaximum, _ values: [Float]) {
    let count = shape.outHeight * shape.outWidth
    let input = FencedMemory(values, slack: 31)
    let (output, places) = (FencedMemory<Float>(count: count), FencedMemory<UInt8>(count: count))
    var job = shape
    job.in = UnsafePointer(input.start)
    job.out = output.start
    job.places = places.start
    kernels.run(job)

    for y in 0..<shape.outHeight {
      for x in 0..<shape.outWidth {
        let window = (0..<shape.windowHeight * shape.windowWidth).map { place in
          values[
            (y * shape.strideY + place / shape.windowWidth) * shape.inWidth + x * shape.strideX
              + place % shape.windowWidth]
        }
        let found = output.start[y * shape.outWidth + x]
        let place = Int(places.start[y * shape.outWidth + x])
        let isRight: Bool
        if window.contains(where: \.isNaN) {
          // Of several NaNs any may be meant.
          isRight = found.isNaN && place < window.count && window[place].isNaN
        } else {
          isRight = found == window.max() && place == window.firstIndex(of: found)
        }
        if !isRight { Issue.record("\(shape): \(found) at \(place) of \(window), window \(y), \(x)") }
      }
    }
    #expect(output.isIntact && places.isIntact)
  }
}
