#if INKLING_KERNELS
  import Kernels

  extension Network {
    /// The names of the kernel sets that this processor runs, the best first.
    public static var kernelSets: [String] { sets.map { String(cString: $0.name) } }

    private static var sets: [InklingKernels] {
      var count = 0
      guard let sets = inkling_kernels(&count) else { return [] }
      return (0..<count).compactMap { sets[$0]?.pointee }
    }

    /// Lays the weights out for the best kernels of this processor, or for the set of that name: one allocation,
    /// after which predictions are many times faster. A name that there is no set for leaves the network as it is; so
    /// does a file whose operations share their tensors so often that the weights would take 64 times its size.
    ///
    /// Probabilities of f32 networks are within 1e-5 of those of the plain loops.
    public mutating func prepare(kernels name: String? = nil) {
      let set = Self.sets.first { name == nil || String(cString: $0.name) == name }
      if let set { prepared = PreparedNetwork(self, kernels: set) ?? prepared }
    }

    /// A prepared copy.
    public func preparedForHost(kernels name: String? = nil) -> Network {
      var copy = self
      copy.prepare(kernels: name)
      return copy
    }

    /// The bytes that preparing took; 0 for a network that is not prepared.
    public var preparedByteCount: Int { prepared?.byteCount ?? 0 }
  }
#endif
