import Tensors
import Testing

@testable import Training

@Suite struct BatchNormalizationTests {
  @Test func evaluationUsesTheRunningStatistics() throws {
    let single = try SingleLayer("batchnorm", input: ImageShape(channels: 2, height: 1, width: 2), count: 1)
    // scale 2 and 3, shift 1 and -1, mean 0.5 and -1, variance 4 and 0.25.
    let y = single.forward([0.5, 2.5, -1, 0], [2, 3, 1, -1], state: [0.5, -1, 4, 0.25], step: nil)
    // 2 · (x - 0.5) / 2 + 1 and 3 · (x + 1) / 0.5 - 1; epsilon moves the fifth digit.
    #expect(zip(y, [1, 3, -1, 5] as [Float]).allSatisfy { abs($0 - $1) < 2e-4 })
  }

  @Test func statisticsOfShardsCombineToThoseOfTheWhole() {
    let shape = ImageShape(channels: 3, height: 2, width: 2)
    // A mean far from 0: squares summed without it would cancel.
    let values = normalValues(37 * shape.count, seed: 8).map { 1000 + $0 }
    var (whole, parts) = (ChannelStatistics(channels: 3), ChannelStatistics(channels: 3))
    whole.measure(values, images: 37, shape: shape)
    for start in stride(from: 0, to: 37, by: 16) {
      var part = ChannelStatistics(channels: 3)
      let count = min(16, 37 - start)
      values.withUnsafeBufferPointer {
        guard let base = $0.baseAddress else { return }
        part.measure(base + start * shape.count, images: count, shape: shape)
      }
      parts.merge(part)
    }
    #expect(parts.count == 37 * 4)
    for channel in 0..<3 {
      // Float32 sums of values near 1,000.
      #expect(abs(parts.mean[channel] - whole.mean[channel]) < 1e-3)
      #expect(abs(parts.squares[channel] - whole.squares[channel]) < 1e-3 * whole.squares[channel])
    }
  }

  @Test func aSingleValueAChannelLeavesTheRunningStatisticsAlone() {
    var measured = ChannelStatistics(channels: 1)
    measured.measure([5], images: 1, shape: ImageShape(channels: 1, height: 1, width: 1))
    var batch = BatchStatistics(channels: 1)
    var state: [Float] = [0.25, 2]
    BatchNormalization().conclude(measured, into: &batch, runningStatistics: &state)
    #expect(state == [0.25, 2])
    #expect(batch.inverseDeviation[0].isFinite)
  }

  @Test func runningStatisticsMoveToTheBatch() {
    var measured = ChannelStatistics(channels: 1)
    measured.measure([1, 3], images: 2, shape: ImageShape(channels: 1, height: 1, width: 1))
    var batch = BatchStatistics(channels: 1)
    var state: [Float] = [0, 1]
    BatchNormalization().conclude(measured, into: &batch, runningStatistics: &state)
    // Mean 2 and unbiased variance 2, a tenth of the way from 0 and 1.
    #expect(abs(state[0] - 0.2) < 1e-6 && abs(state[1] - 1.1) < 1e-6)
  }
}
