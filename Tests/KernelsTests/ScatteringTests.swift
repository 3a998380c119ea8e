import Kernels
import Tensors
import Testing

@Suite struct ScatteringTests {
  @Test(arguments: KernelSet.tested, Sizes.rows)
  func agreesWithThePlainLoop(kernels: KernelSet, channels: Int) {
    for filters in Sizes.filters {
      for places in Sizes.widths + [50] {
        // The second's taps overlap and share a place, the third's lie apart.
        for taps in [[0], [2, 0, 1, 2], [0, 70, 140]] as [[Int32]] {
          for gap in [0, 5] {
            check(kernels, channels, filters: filters, places: places, taps: taps, gap: gap)
          }
        }
      }
    }
  }

  /// `gap` values lie between one filter's places and the next's, and between channels.
  private func check(
    _ kernels: KernelSet, _ channels: Int, filters: Int, places: Int, taps: [Int32], gap: Int
  ) {
    let outStep = places + gap
    let channelStep = Int(taps.max() ?? 0) + places + gap
    // [taps, channels, filters].
    let weights = normalValues(taps.count * channels * filters, seed: 1)
    let before = normalValues((channels - 1) * channelStep + channelStep - gap, seed: 2)
    var gradient = normalValues((filters - 1) * outStep + places, seed: 3)
    for filter in 0..<filters - 1 {
      for i in 0..<gap { gradient[filter * outStep + places + i] = .nan }
    }

    let packed = FencedMemory<Float>(count: weights.count)
    for tap in taps.indices {
      kernels.packRows(
        Array(weights[(tap * channels * filters)...]), rows: channels, inner: filters, rowStep: filters,
        innerStep: 1, into: packed.start + tap * channels * filters)
    }
    let output = FencedMemory(gradient, slack: 15)
    let input = FencedMemory(before)
    let offsets = FencedMemory(taps)
    kernels.run(
      InklingScattering(
        channels: channels, filters: filters, taps: taps.count, places: places, outStep: outStep,
        channelStep: channelStep, rows: packed.start, out: output.start, tapOffsets: offsets.start,
        in: input.start))

    var expected = before.map { PlainSum($0) }
    for (tap, offset) in taps.enumerated() {
      for channel in 0..<channels {
        for place in 0..<places {
          for filter in 0..<filters {
            expected[channel * channelStep + Int(offset) + place].add(
              weights[(tap * channels + channel) * filters + filter], gradient[filter * outStep + place])
          }
        }
      }
    }
    let fault = fault(input.values, expected)
    #expect(fault == nil, "\(filters) filters, \(places) places, taps \(taps), gap \(gap)")
    #expect(input.isIntact)
  }
}
