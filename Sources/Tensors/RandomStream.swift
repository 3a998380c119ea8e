import Foundation
import Kernels

/// A counter-based random generator: what it yields depends only on seed, stream, step and index.
///
/// The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011). Seed is the key; stream, step and index fill three words of the counter and the fourth
/// counts blocks, so any draw can be made anywhere, in any order, on any thread, without state to save.
///
/// ```swift
/// var random = RandomStream(seed: 1, stream: .augmentation, step: epoch, index: image)
/// let angle = random.uniform(in: -10...10)
/// ```
public struct RandomStream: RandomNumberGenerator, Sendable {
  /// What the randomness is for; two purposes never share draws.
  public struct Stream: RawRepresentable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let shuffle = Stream(rawValue: 1)
    public static let split = Stream(rawValue: 2)
    public static let initialization = Stream(rawValue: 3)
    public static let augmentation = Stream(rawValue: 4)
    /// Dropout in the layer at `position`, so that layers draw independently.
    public static func dropout(layer position: Int) -> Stream {
      Stream(rawValue: 0x1_0000 &+ UInt32(truncatingIfNeeded: position))
    }
  }

  private let key: (UInt32, UInt32)
  private var counter: SIMD4<UInt32>
  private var block = SIMD4<UInt32>()
  private var unused = 0

  /// A generator at the start of its sequence; `step` and `index` are taken modulo 2³².
  public init(seed: UInt64, stream: Stream, step: Int = 0, index: Int = 0) {
    key = (UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    counter = SIMD4(
      0, UInt32(truncatingIfNeeded: index), UInt32(truncatingIfNeeded: step), stream.rawValue)
  }

  /// The next four 32-bit words, past any that are left of the block before.
  public mutating func nextBlock() -> SIMD4<UInt32> {
    let result = RandomStream.philox(counter: counter, key: key)
    counter[0] &+= 1
    return result
  }

  /// The next four blocks, in less than half the time of one after the other: their four first words, then their
  /// four second ones, and so on.
  public mutating func nextFourBlocks() -> SIMD16<UInt32> {
    let first = counter[0]
    let result = RandomStream.philox(
      counters: SIMD4(first, first &+ 1, first &+ 2, first &+ 3),
      SIMD3(counter[1], counter[2], counter[3]), key: key)
    counter[0] &+= 4
    return result
  }

  /// The next 32 bits.
  public mutating func nextWord() -> UInt32 {
    if unused == 0 {
      block = nextBlock()
      unused = 4
    }
    unused -= 1
    return block[3 - unused]
  }

  public mutating func next() -> UInt64 {
    let low = UInt64(nextWord())
    return low | UInt64(nextWord()) << 32
  }

  /// Writes 1 to `mask` with a probability of 1 - threshold / 2¹⁶, else 0: 16 bits a value, eight values a block,
  /// from the stream's beginning, whatever has been drawn of it.
  public func fillMask(
    _ mask: UnsafeMutablePointer<UInt8>, count: Int, threshold: UInt32, kernels: KernelSet
  ) {
    kernels.run(
      InklingRandomMask(
        count: count, key: key, index: counter[1], step: counter[2], stream: counter[3], threshold: threshold,
        mask: mask))
  }

  /// A value in [0, 1), a multiple of 2⁻²⁴.
  public mutating func uniform() -> Float {
    Float(nextWord() >> 8) * 0x1p-24
  }

  /// A value in `range`.
  public mutating func uniform(in range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// A value from the standard normal distribution (Box and Muller, 1958).
  public mutating func normal() -> Float {
    // 1 - uniform is in (0, 1], so its logarithm is finite.
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }

  /// One Philox4x32-10 block.
  static func philox(counter: SIMD4<UInt32>, key: (UInt32, UInt32)) -> SIMD4<UInt32> {
    var (x0, x1, x2, x3) = (counter[0], counter[1], counter[2], counter[3])
    var (k0, k1) = key
    for _ in 0..<10 {
      let p0 = UInt64(x0) &* 0xD251_1F53
      let p1 = UInt64(x2) &* 0xCD9E_8D57
      (x0, x1, x2, x3) = (
        UInt32(truncatingIfNeeded: p1 >> 32) ^ x1 ^ k0, UInt32(truncatingIfNeeded: p1),
        UInt32(truncatingIfNeeded: p0 >> 32) ^ x3 ^ k1, UInt32(truncatingIfNeeded: p0)
      )
      k0 &+= 0x9E37_79B9
      k1 &+= 0xBB67_AE85
    }
    return SIMD4(x0, x1, x2, x3)
  }

  /// Four blocks whose counters differ in their first word alone, as `nextFourBlocks` orders them.
  private static func philox(
    counters: SIMD4<UInt32>, _ others: SIMD3<UInt32>, key: (UInt32, UInt32)
  ) -> SIMD16<UInt32> {
    // Words lie in the low halves of lanes of 64 bits, since vectors multiply 32 bits by 32 to 64. What is left
    // in the high halves is masked away before it counts.
    let low = SIMD4<UInt64>(repeating: 0xFFFF_FFFF)
    var x0 = SIMD4<UInt64>(truncatingIfNeeded: counters)
    var x1 = SIMD4(repeating: UInt64(others[0]))
    var x2 = SIMD4(repeating: UInt64(others[1]))
    var x3 = SIMD4(repeating: UInt64(others[2]))
    var (k0, k1) = key
    for _ in 0..<10 {
      let p0 = (x0 & low) &* 0xD251_1F53
      let p1 = (x2 & low) &* 0xCD9E_8D57
      (x0, x1, x2, x3) = ((p1 &>> 32) ^ x1 ^ UInt64(k0), p1, (p0 &>> 32) ^ x3 ^ UInt64(k1), p0)
      k0 &+= 0x9E37_79B9
      k1 &+= 0xBB67_AE85
    }
    func words(_ lanes: SIMD4<UInt64>) -> SIMD4<UInt32> { SIMD4(truncatingIfNeeded: lanes) }
    return SIMD16(
      lowHalf: SIMD8(lowHalf: words(x0), highHalf: words(x1)),
      highHalf: SIMD8(lowHalf: words(x2), highHalf: words(x3)))
  }
}
