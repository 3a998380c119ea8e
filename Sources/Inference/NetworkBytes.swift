#if INKLING_KERNELS
  /// Bytes of a file in memory of their own, for as long as a network needs them.
  public final class NetworkBytes: @unchecked Sendable {
    public let bytes: UnsafeRawBufferPointer

    /// Copies bytes, to a place that is aligned to 64.
    public convenience init(copying source: UnsafeRawBufferPointer) {
      self.init(capacity: source.count) { target in
        target.copyMemory(from: source)
        return source.count
      }
    }

    /// Memory for `capacity` bytes, aligned to 64, of which `fill` says how many it wrote.
    public init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 64)
      let count = fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<capacity]))
      bytes = UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory)[..<max(0, min(count, capacity))])
    }

    deinit { bytes.deallocate() }
  }

  extension Network {
    /// A network that keeps its bytes. Throws `InkError` as `init(_:)` does.
    public init(_ owner: NetworkBytes) throws(InkError) {
      try self.init(owner.bytes)
      self.owner = owner
    }

    /// A network that keeps a copy of the bytes. Throws `InkError` as `init(_:)` does.
    public init(copying bytes: [UInt8]) throws(InkError) {
      try self.init(bytes.withUnsafeBytes { NetworkBytes(copying: $0) })
    }
  }
#endif
