/// Memory that a normalisation works in, handed out piece by piece.
struct InkMemory {
  private var next: UnsafeMutableRawPointer

  init(_ start: UnsafeMutableRawPointer) {
    next = start
  }

  mutating func take<Value>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
    let start = next
    next += Self.byteCount(count, of: type)
    return start.bindMemory(to: type, capacity: count)
  }

  static func byteCount<Value>(_ count: Int, of type: Value.Type) -> Int {
    (count * MemoryLayout<Value>.stride + 15) & ~15
  }
}
