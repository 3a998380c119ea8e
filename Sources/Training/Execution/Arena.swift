/// Memory for one shard, or scratch memory for one worker; zeroed, and the same from step to step.
///
/// A class, since it owns raw memory: pointers into it go to several workers, and arrays would be checked
/// for unique ownership at every layer.
final class Arena {
  let values: UnsafeMutablePointer<Float>
  let bytes: UnsafeMutablePointer<UInt8>

  init(valueCount: Int, byteCount: Int = 0) {
    values = .allocate(capacity: max(1, valueCount))
    values.initialize(repeating: 0, count: max(1, valueCount))
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
