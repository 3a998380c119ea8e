import Tensors

/// Memory for one shard, or scratch memory for one worker; zeroed, and the same from step to step.
///
/// A class, since it owns raw memory: pointers into it go to several workers, and arrays would be checked
/// for unique ownership at every layer.
final class Arena {
  let values: UnsafeMutablePointer<Float>
  let bytes: UnsafeMutablePointer<UInt8>

  /// Values past the end: kernels may read two tiles' columns that begin inside.
  static let slack = 2 * KernelSet.columns

  init(valueCount: Int, byteCount: Int = 0) {
    values = .allocate(capacity: valueCount + Self.slack)
    values.initialize(repeating: 0, count: valueCount + Self.slack)
    bytes = .allocate(capacity: max(1, byteCount))
    bytes.initialize(repeating: 0, count: max(1, byteCount))
  }

  /// An arena that starts with the given values.
  convenience init(copying array: [Float]) {
    self.init(valueCount: array.count)
    values.update(from: array, count: array.count)
  }

  /// A copy of the first `count` values.
  func array(_ count: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: values, count: count))
  }

  deinit {
    values.deallocate()
    bytes.deallocate()
  }
}
