import Inference

/// An image that the network does not take.
public struct ImageSizeError: Error, Hashable, Sendable, CustomStringConvertible {
  public let expected: Int
  public let found: Int

  public var description: String { "expected an image of \(expected) pixel values, found \(found)" }
}

extension Network {
  /// Classifies one image: channels × height × width bytes, row by row from the top.
  ///
  /// Any number of threads may ask the same network at once. Throws `ImageSizeError` for another number of bytes.
  public func predict(_ pixels: [UInt8]) throws(ImageSizeError) -> Prediction {
    guard pixels.count == input.extent.count else {
      throw ImageSizeError(expected: input.extent.count, found: pixels.count)
    }
    var best = 0
    let probabilities = [Float](unsafeUninitializedCapacity: classCount) { target, count in
      // The image is not empty and there is a class, so each has an address.
      guard let target = target.baseAddress else { return }
      pixels.withUnsafeBufferPointer { pixels in
        guard let pixels = pixels.baseAddress else { return }
        // Aligned here: where the C library does that (glibc before 2.38) a hole as large as the scratch memory stays behind
        // each prediction that somebody keeps.
        withUnsafeTemporaryAllocation(byteCount: scratchByteCount + 64, alignment: 16) { scratch in
          guard let scratch = scratch.baseAddress?.alignedUp(toMultipleOf: 64) else { return }
          best = predict(pixels, scratch: scratch, probabilities: target)
        }
      }
      count = classCount
    }
    return Prediction(
      classIndex: best, probabilities: probabilities, labels: labels, refusalThreshold: refusalThreshold)
  }
}
