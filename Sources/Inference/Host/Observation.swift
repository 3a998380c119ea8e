#if INKLING_KERNELS
  extension Network {
    /// Predicts, and calls `body` with the values that follow each convolution and dense layer, and each maximum-pool
    /// behind one, with the number of that layer's operation: what calibration goes by.
    ///
    /// A rectifier in front of a maximum-pool is applied behind it; before it there may be values below 0.
    ///
    /// - Precondition: the network is prepared, and computes with floats.
    package func observe(
      _ pixels: UnsafePointer<UInt8>, scratch: UnsafeMutableRawPointer,
      probabilities: UnsafeMutablePointer<Float>,
      _ body: (_ operation: Int, _ values: UnsafeBufferPointer<Float>) -> Void
    ) {
      guard let prepared else { preconditionFailure("only a prepared network is observed") }
      withoutActuallyEscaping(body) { body in
        _ = prepared.predict(pixels, scratch: scratch, probabilities: probabilities, observe: body)
      }
    }
  }
#endif
