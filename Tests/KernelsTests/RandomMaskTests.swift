import Tensors
import Testing

@Suite struct RandomMaskTests {
  /// Counts around eight values a block and a block a lane.
  @Test(arguments: KernelSet.tested, [0, 1, 0x4000, 0xFFFF, 0x10000] as [UInt32])
  func takesTheBitsOfTheStream(kernels: KernelSet, threshold: UInt32) {
    for count in [1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000] {
      var stream = RandomStream(seed: 0x1234_5678_9ABC, stream: .dropout(layer: 3), step: 5, index: 7)
      let mask = FencedMemory<UInt8>(count: count)
      stream.fillMask(mask.start, count: count, threshold: threshold, kernels: kernels)
      var word: UInt32 = 0
      let expected: [UInt8] = (0..<count).map {
        word = $0 % 2 == 0 ? stream.nextWord() : word >> 16
        return word & 0xFFFF >= threshold ? 1 : 0
      }
      #expect(mask.values == expected)
      #expect(mask.isIntact)
    }
  }
}
