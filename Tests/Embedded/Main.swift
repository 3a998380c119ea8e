import Inference

// Classifies the images of `digits.bin`, one after another, with the network in flash. For each, `predictions.bin` gets
// the class as a 32-bit number and the probabilities; `figures.bin` gets, as 32-bit numbers, the images, the bytes of
// variables, of buffers and of the stack at its deepest, and the ticks that the first image took.

/// Takes memory between the variables and the stack.
private struct FreeMemory {
  private(set) var next: UnsafeMutableRawPointer

  mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    defer { next += (byteCount + 31) & ~31 }
    return next
  }
}

private func open(_ name: StaticString, isWritten: Bool) -> Int32 {
  name.withUTF8Buffer { name in
    let start = UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self)
    return embedded_open(start, name.count, isWritten ? 1 : 0)
  }
}

/// The status of the program: 0, 1 for a file that is no network, 2 for files that cannot be read or written.
@c(embedded_main)
func embeddedMain() -> Int32 {
  let start = embedded_model_address()
  let file = UnsafeRawBufferPointer(start: start, count: embedded_model_byte_count())
  guard let network = try? Network(file), let free = embedded_free_memory() else { return 1 }
  var memory = FreeMemory(next: free)
  let pixelCount = network.input.extent.count
  let pixels = memory.take(pixelCount)
  let recordByteCount = 4 * (1 + network.classCount)
  let record = memory.take(recordByteCount)
  let probabilities = (record + 4).assumingMemoryBound(to: Float.self)
  let scratch = memory.take(network.scratchByteCount)

  let images = open("digits.bin\0", isWritten: false)
  let predictions = open("predictions.bin\0", isWritten: true)
  let figures = open("figures.bin\0", isWritten: true)
  guard images >= 0, predictions >= 0, figures >= 0 else { return 2 }
  var count: UInt32 = 0
  var ticks: UInt32 = 0
  while embedded_read(images, pixels, pixelCount) != 0 {
    let before = embedded_ticks()
    let index = network.predict(
      pixels.assumingMemoryBound(to: UInt8.self), scratch: scratch, probabilities: probabilities)
    if count == 0 { ticks = (embedded_ticks() &- before) & 0xFF_FFFF }
    record.storeBytes(of: Int32(index), as: Int32.self)
    guard embedded_write(predictions, record, recordByteCount) != 0 else { return 2 }
    count += 1
  }
  let numbers = scratch.assumingMemoryBound(to: UInt32.self)
  numbers[0] = count
  numbers[1] = UInt32(embedded_static_byte_count())
  numbers[2] = UInt32(memory.next - free)
  numbers[3] = UInt32(embedded_stack_byte_count(memory.next))
  numbers[4] = ticks
  return embedded_write(figures, numbers, 20) != 0 ? 0 : 2
}
