#if INKLING_KERNELS
  /// Bytes of a file in memory of their own, for as long as a network needs them.
  public final class NetworkBytes: @unchecked Sendable {
    public let bytes: UnsafeRawBufferPointer

    /// Copies bytes, to a place that is aligned to 64.
    public init(copying source: UnsafeRawBufferPointer) {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, source.count), alignment: 64)
      copy.copyMemory(from: source)
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<source.count])
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
