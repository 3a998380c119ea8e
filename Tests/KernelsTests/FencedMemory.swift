import Foundation

/// Memory that shows what is read or written beside it.
///
/// Directly behind it lies a page that nobody may touch: a loop that does ends the tests with a signal. In front of it,
/// and in it where nothing was set, all bits are 1: a NaN that shows wherever it gets into a result.
final class FencedMemory<Value: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Value>
  let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let mappedCount: Int

  init(count: Int) {
    let page = Int(getpagesize())
    // At least a page in front.
    let open = (count * MemoryLayout<Value>.stride + page - 1) / page * page + page
    mappedCount = open + page
    guard
      let mapping = mmap(nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      mapping != MAP_FAILED, mprotect(mapping + open, page, PROT_NONE) == 0
    else { preconditionFailure("no memory") }
    memset(mapping, 0xFF, open)
    self.mapping = mapping
    self.count = count
    start = (mapping + open).bindMemory(to: Value.self, capacity: 0) - count
  }

  /// The values, then as many more as may be read but must not count.
  convenience init(_ values: [Value], slack: Int = 0) {
    self.init(count: values.count + slack)
    start.update(from: values, count: values.count)
  }

  deinit { munmap(mapping, mappedCount) }

  var values: [Value] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Whether nothing was written in front.
  var isIntact: Bool {
    UnsafeRawBufferPointer(start: mapping, count: UnsafeRawPointer(start) - UnsafeRawPointer(mapping))
      .allSatisfy { $0 == 0xFF }
  }
}
