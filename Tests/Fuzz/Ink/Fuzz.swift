@testable import Inference

// What libFuzzer calls. The file is repaired first: a wrong checksum would end nearly every run at once.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let file = InkParts.repaired(Array(UnsafeBufferPointer(start: data, count: count)))
  // A copy without a byte to spare, so that the address sanitizer sees a read beyond it.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: file.count, alignment: 1)
  copy.copyBytes(from: file)
  let outcome = HostileFile(UnsafeRawBufferPointer(copy), kernelSet: file.reduce(0) { $0 &+ Int($1) })
  copy.deallocate()
  // Files that cost too much are not worth keeping as seeds.
  return outcome == .tooLarge ? -1 : 0
}

@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

/// One time in three libFuzzer's own changes; else those of the tests, which know the fields.
@_cdecl("LLVMFuzzerCustomMutator")
public func change(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32) -> Int {
  guard seed % 3 > 0, count >= 16 else { return mutate(data, count, limit) }
  var mutation = InkMutation(seed: UInt64(seed))
  let changed = mutation.changed(Array(UnsafeBufferPointer(start: data, count: count)))
  guard changed.count <= limit else { return mutate(data, count, limit) }
  for (index, byte) in changed.enumerated() { data[index] = byte }
  return changed.count
}
