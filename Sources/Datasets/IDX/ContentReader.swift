/// The content of a file: its bytes, or what they inflate to if they are gzip, whatever the file is called.
final class ContentReader {
  let isCompressed: Bool
  private let file: FileReader
  private let inflater: Inflater?

  init(path: String) throws(FileError) {
    file = try FileReader(path: path)
    isCompressed = file.starts(with: Gzip.magic)
    inflater = isCompressed ? try Inflater(file) : nil
  }

  var path: String { file.path }

  /// The size of the file itself.
  var fileByteCount: Int { file.byteCount }

  /// The most bytes that the content can have.
  var byteLimit: Int {
    guard isCompressed else { return file.byteCount }
    let (limit, overflow) = file.byteCount.multipliedReportingOverflow(by: Gzip.largestRatio)
    return overflow ? .max : limit
  }

  /// Fills the buffer with the next bytes and returns their number, which is short only at the end.
  ///
  /// The end of gzip content is reported only after its checksum was found right.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    if let inflater { try inflater.read(into: buffer) } else { try file.read(into: buffer) }
  }

  /// The given bytes and those that come next, at most `count` in all; fewer only at the end.
  ///
  /// The memory asked for follows what the file delivers, not what the caller hopes for: it grows from
  /// 64 times the file's size, which ordinary data never exceed, by doubling.
  func read(upTo count: Int, after head: ArraySlice<UInt8> = []) throws(FileError) -> [UInt8] {
    var bytes = Array(head)
    let (generous, overflow) = fileByteCount.multipliedReportingOverflow(by: 64)
    var goal = min(count, overflow ? count : max(generous, 4096))
    while bytes.count < count {
      bytes = try extended(bytes, to: goal)
      if bytes.count < goal { break }
      goal = goal > count / 2 ? count : goal * 2
    }
    return bytes
  }

  private func extended(_ bytes: [UInt8], to count: Int) throws(FileError) -> [UInt8] {
    var failure: FileError?
    // Uninitialised storage: the bytes of a data set are then written once, by the reader itself.
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let storage = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
      storage.copyBytes(from: bytes)
      do throws(FileError) {
        let rest = UnsafeMutableRawBufferPointer(rebasing: storage[bytes.count...])
        initializedCount = bytes.count + (try read(into: rest))
      } catch {
        failure = error
        initializedCount = bytes.count
      }
    }
    if let failure { throw failure }
    return result
  }
}
