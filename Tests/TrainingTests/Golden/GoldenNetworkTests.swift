import Testing

@testable import Training

/// Whole networks, trained for ten steps, against PyTorch's results in float64.
@Suite struct GoldenNetworkTests {
  /// Relative to the largest value of an array, since small ones come about as differences of large ones.
  ///
  /// Float32 resolves 1.2e-7 of a value; ten steps with sums of up to some hundred products were seen to
  /// leave up to 5e-7. The rest is room for a BLAS that adds in another order.
  static let tolerance = 2e-6

  @Test(arguments: try GoldenCase.all())
  func agreesWithPyTorch(golden: GoldenCase) throws {
    let run = try GoldenRun(golden, threads: 2)
    #expect(largestError(run.losses, golden.losses[...]) < Self.tolerance, "losses")
    try #require(run.values.count == golden.values.count)
    for slot in try golden.start.table.slots {
      let error = largestError(run.values[slot.range].map(Double.init), golden.values[slot.range])
      #expect(error < Self.tolerance, "\(slot.name) of layer \(slot.layer + 1)")
    }
    #expect(largestError(run.logits.map(Double.init), golden.logits[...]) < Self.tolerance, "logits")
  }

  /// Batches of 37 images are cut into three shards; which worker takes which must leave no trace.
  @Test(arguments: try GoldenCase.all())
  func anyNumberOfThreadsGivesTheSameBits(golden: GoldenCase) throws {
    let alone = try GoldenRun(golden, threads: 1)
    for threads in 2...3 {
      let isSame = try GoldenRun(golden, threads: threads) == alone
      #expect(isSame, "\(threads) threads")
    }
  }

  /// The largest difference, relative to the largest expected value; not below any tolerance if one is NaN.
  private func largestError(_ found: [Double], _ expected: ArraySlice<Double>) -> Double {
    guard found.count == expected.count, found.allSatisfy(\.isFinite) else { return .infinity }
    let error = zip(found, expected).map { abs($0 - $1) }.max() ?? 0
    return error / (expected.map(abs).max() ?? 1)
  }
}
