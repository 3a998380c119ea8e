import Tensors
import Testing

@Suite struct RandomMaskTests {
  private let stream = RandomStream(seed: 0x1234_5678_9ABC, stream: .dropout(layer: 3), step: 5, index: 7)

  /// Counts around eight values a block and a block a lane.
  @Test(arguments: KernelSet.tested, [0, 1, 0x4000, 0xFFFF, 0x10000] as [UInt32])
  func takesTheBitsOfTheStream(kernels: KernelSet, threshold: UInt32) {
    for count in [1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000] {
      check(kernels, count, threshold)
    }
  }

  /// A draw that equals the threshold counts, in the low half of a word and in the high one.
  @Test(arguments: KernelSet.tested)
  func theThresholdItselfCounts(kernels: KernelSet) {
    for draw in draws(16) { check(kernels, 16, draw) }
  }

  private func check(_ kernels: KernelSet, _ count: Int, _ threshold: UInt32) {
    let mask = FencedMemory<UInt8>(count: count)
    stream.fillMask(mask.start, count: count, threshold: threshold, kernels: kernels)
    #expect(mask.values == draws(count).map { $0 >= threshold ? 1 : 0 })
    #expect(mask.isIntact)
  }

  /// The stream's words by halves.
  private func draws(_ count: Int) -> [UInt32] {
    var stream = stream
    var word: UInt32 = 0
    return (0..<count).map {
      word = $0 % 2 == 0 ? stream.nextWord() : word >> 16
      return word & 0xFFFF
    }
  }
}
