// Predicts a digit with nothing but Inference: the network's file and the pixels' are read by the C library.
import Inference

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a file.
func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { return [] }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  _ = fread(&bytes, 1, bytes.count, file)
  return bytes
}

let file = contents(CommandLine.arguments[1])
let pixels = contents(CommandLine.arguments[2])
do {
  try file.withUnsafeBytes { bytes in
    let network = try Network(bytes)
    var probabilities = [Float](repeating: 0, count: network.classCount)
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: network.scratchByteCount, alignment: 16)
    defer { scratch.deallocate() }
    let best = network.predict(pixels, scratch: scratch, probabilities: &probabilities)
    print(String(decoding: network.labelBytes(best), as: UTF8.self))
  }
} catch {
  print("no network: \(error)")
}
