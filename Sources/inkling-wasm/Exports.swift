import Inference

// What a page calls. Addresses and sizes are bytes in the one exported memory; one network is held at a time.
//
//   let address = inkling_allocate(file.length)        then copy the file there
//   inkling_load()                                     0, or why not
//   inkling_pixels()                                   then copy channels × height × width bytes there
//   inkling_predict()                                  the class; its probabilities are at inkling_probabilities()

/// The network and its buffers.
struct Session {
  var memory = BumpMemory()
  var file = UnsafeRawBufferPointer(start: nil, count: 0)
  var network: Network?
  var pixels: UnsafeMutablePointer<UInt8>?
  var scratch: UnsafeMutableRawPointer?
  var probabilities: UnsafeMutablePointer<Float>?
  var errorOffset = 0
}

// There is one thread.
nonisolated(unsafe) var session = Session()

/// Room for a file of so many bytes, aligned to 16, in place of the network before; 0 if there is not enough memory.
@c(inkling_allocate)
func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
  session = Session()
  session.memory.reset()
  guard byteCount >= 0, let start = session.memory.take(byteCount) else { return nil }
  session.file = UnsafeRawBufferPointer(start: start, count: byteCount)
  return start
}

/// The status that says that memory did not suffice.
private let outOfMemory: Int32 = 255

/// Checks the file and makes it ready: 0 if it is sound. Otherwise 1 more than the raw value of `InkError.Reason`, and
/// `inkling_error_offset` is the place in the file; 255 if there is not enough memory.
@c(inkling_load)
func load() -> Int32 {
  session.network = nil
  do throws(InkError) {
    let network = try Network(session.file)
    guard let pixels = session.memory.take(network.input.extent.count),
      let scratch = session.memory.take(network.scratchByteCount),
      let probabilities = session.memory.take(4 &* network.classCount)
    else { return outOfMemory }
    session.pixels = pixels.assumingMemoryBound(to: UInt8.self)
    session.scratch = scratch
    session.probabilities = probabilities.assumingMemoryBound(to: Float.self)
    session.network = network
    return 0
  } catch {
    session.errorOffset = error.offset
    return Int32(error.reason.rawValue) &+ 1
  }
}

@c(inkling_error_offset) func errorOffset() -> Int { session.errorOffset }

// The image that the network takes; all 0 before a network is loaded.
@c(inkling_width) func width() -> Int { session.network?.input.extent.width ?? 0 }
@c(inkling_height) func height() -> Int { session.network?.input.extent.height ?? 0 }
@c(inkling_channels) func channels() -> Int { session.network?.input.extent.channels ?? 0 }
/// 1 where ink has high values and paper is 0.
@c(inkling_is_ink_high) func isInkHigh() -> Int32 { session.network?.input.isInkHigh == true ? 1 : 0 }

@c(inkling_class_count) func classCount() -> Int { session.network?.classCount ?? 0 }

/// Where the UTF-8 bytes of a class's name lie; 0 for none.
@c(inkling_label) func label(_ index: Int) -> UnsafeRawPointer? { labelBytes(index)?.baseAddress }
@c(inkling_label_length) func labelLength(_ index: Int) -> Int { labelBytes(index)?.count ?? 0 }

@inline(never) private func labelBytes(_ index: Int) -> UnsafeRawBufferPointer? {
  guard index >= 0, index < classCount() else { return nil }
  return session.network?.labelBytes(index)
}

/// Where the next image goes: channels × height × width bytes.
@c(inkling_pixels) func pixels() -> UnsafeMutablePointer<UInt8>? { session.pixels }

/// Classifies the image; the index of the most probable class, -1 before a network is loaded.
@c(inkling_predict)
func predict() -> Int {
  guard let network = session.network, let pixels = session.pixels, let scratch = session.scratch,
    let probabilities = session.probabilities
  else { return -1 }
  return network.predict(pixels, scratch: scratch, probabilities: probabilities)
}

/// Where the probabilities of the last prediction lie: a float of 4 bytes for each class.
@c(inkling_probabilities) func probabilities() -> UnsafeMutablePointer<Float>? { session.probabilities }
