#if INKLING_KERNELS
  extension Network {
    /// The bytes of scratch memory that a batch needs, aligned to 64.
    public func batchScratchByteCount(_ count: Int) -> Int { scratchByteCount }

    /// Classifies `count` images, one after another in memory.
    ///
    /// - Parameters:
    ///   - pixels: [count, channels, height, width].
    ///   - scratch: `batchScratchByteCount(count)` bytes, aligned to 64, of this call alone.
    ///   - probabilities: [count, classes], which are written.
    public func predict(
      _ pixels: UnsafePointer<UInt8>, count: Int, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>
    ) {
      for image in 0..<count {
        _ = predict(
          pixels + image * input.extent.count, scratch: scratch,
          probabilities: probabilities + image * classCount)
      }
    }
  }
#endif
