import Tensors
import WideKernels

@testable import struct Tensors.KernelSet

extension KernelSet {
  /// What this processor can run, and the loops with the longest vectors.
  static let tested = available + [KernelSet(inkling_wide_kernels().pointee)]
}

/// Sizes around those of tiles and vectors.
enum Sizes {
  static let rows = [1, 2, 3, 5, 6, 7, 12, 13, 17, 31]
  static let inner = [1, 3, 17, 64]
  static let widths = [1, 2, 5, 10, 15, 16, 17, 28]
  static let filters = [1, 3, 6, 16, 17]
}

func normalValues(_ count: Int, seed: UInt64) -> [Float] {
  var random = RandomStream(seed: seed, stream: .initialization)
  return (0..<count).map { _ in random.normal() }
}
