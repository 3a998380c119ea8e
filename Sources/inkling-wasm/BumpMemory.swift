/// Hands out memory from the end of the program's data on; nothing is given back but all of it.
struct BumpMemory {
  private var next = 0

  /// Takes back all that was handed out.
  mutating func reset() { next = inkling_heap_base() }

  /// So many bytes, aligned to 16; nil if the memory cannot grow that far.
  mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let start = (next &+ 15) & ~15
    let (end, overflow) = UInt(bitPattern: start).addingReportingOverflow(UInt(bitPattern: byteCount))
    guard !overflow else { return nil }
    let memoryEnd = UInt(bitPattern: inkling_memory_end())
    if end > memoryEnd {
      let pages = (end &- memoryEnd &+ 65_535) >> 16
      guard inkling_grow_memory(Int(bitPattern: pages)) != 0 else { return nil }
    }
    next = Int(bitPattern: end)
    return UnsafeMutableRawPointer(bitPattern: start)
  }
}
