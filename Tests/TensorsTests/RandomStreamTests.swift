import Testing

@testable import Tensors

@Suite struct RandomStreamTests {
  // The known answers that Random123, the authors' own library, is tested with (philox4x32, 10 rounds).
  @Test func philoxKnownAnswers() {
    #expect(
      RandomStream.philox(counter: SIMD4(repeating: 0), key: (0, 0))
        == SIMD4(0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8))
    #expect(
      RandomStream.philox(counter: SIMD4(repeating: .max), key: (.max, .max))
        == SIMD4(0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD))
    #expect(
      RandomStream.philox(
        counter: SIMD4(0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344), key: (0xA409_3822, 0x299F_31D0))
        == SIMD4(0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1))
  }

  @Test(arguments: [0, 2]) func fourBlocksAtATimeAreTheSame(before: Int) {
    var alone = RandomStream(
      seed: 0xFEDC_BA98_7654_3210, stream: .dropout(layer: 3), step: 0x8765_4321, index: 0xF00D_CAFE)
    var together = alone
    for _ in 0..<before { #expect(alone.nextBlock() == together.nextBlock()) }
    for _ in 0..<3 {
      let words = together.nextFourBlocks()
      for block in 0..<4 {
        #expect(alone.nextBlock() == SIMD4((0..<4).map { words[4 * $0 + block] }))
      }
    }
    #expect(alone.nextBlock() == together.nextBlock())
  }

  @Test func eachCoordinateChangesTheDraw() {
    func first(_ seed: UInt64, _ stream: RandomStream.Stream, _ step: Int, _ index: Int) -> UInt64 {
      var random = RandomStream(seed: seed, stream: stream, step: step, index: index)
      return random.next()
    }
    let draws = [
      first(1, .shuffle, 0, 0), first(2, .shuffle, 0, 0), first(1 << 40, .shuffle, 0, 0),
      first(1, .split, 0, 0), first(1, .shuffle, 1, 0), first(1, .shuffle, 0, 1),
      first(1, .dropout(layer: 0), 0, 0), first(1, .dropout(layer: 1), 0, 0),
    ]
    #expect(Set(draws).count == draws.count)
    #expect(first(1, .shuffle, 0, 0) == draws[0])
  }

  @Test func uniformAndNormalHaveTheirMoments() {
    var random = RandomStream(seed: 7, stream: .initialization)
    let count = 100_000
    var (uniformSum, normalSum, normalSquares) = (0.0, 0.0, 0.0)
    for _ in 0..<count {
      let uniform = random.uniform()
      #expect(uniform >= 0 && uniform < 1)
      uniformSum += Double(uniform)
      let normal = Double(random.normal())
      normalSum += normal
      normalSquares += normal * normal
    }
    // Five standard errors: 0.29 / √n for the uniform mean, 1 / √n and √(2 / n) for the normal moments.
    let root = Double(count).squareRoot()
    #expect(abs(uniformSum / Double(count) - 0.5) < 5 * 0.29 / root)
    #expect(abs(normalSum / Double(count)) < 5 / root)
    #expect(abs(normalSquares / Double(count) - 1) < 5 * 1.42 / root)
  }
}
