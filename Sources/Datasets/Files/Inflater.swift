import CZlib
import PlainText

/// Inflates a gzip file of one or more members, as far as its caller asks and no further.
final class Inflater {
  private let file: FileReader
  // Pointers, as zlib keeps the address of its structure and reads the input across calls.
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private var fetchedCount = 0
  private var producedCount = 0
  private var isBetweenMembers = false

  init(_ file: FileReader) throws(FileError) {
    self.file = file
    input = .allocate(byteCount: 1 << 17, alignment: 1)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit2_(stream, Gzip.windowBits, ZLIB_VERSION, Gzip.streamSize) == Z_OK else {
      throw damage("no memory or another version of zlib than Inkling was built with")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// Fills the buffer with the next inflated bytes and returns their number, which is short only at the end.
  ///
  /// The end is reported only after the checksum and length of the last member were found right.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    var filled = 0
    while filled < buffer.count {
      if stream.pointee.avail_in == 0, try !fetch() {
        if isBetweenMembers { break }
        throw damage("the gzip stream ends early")
      }
      if isBetweenMembers { try startMember() }
      filled += try inflate(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
    }
    return filled
  }

  /// Reads more compressed bytes; false at the end of the file.
  private func fetch() throws(FileError) -> Bool {
    let count = try file.read(into: input)
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
    fetchedCount += count
    return count > 0
  }

  private func startMember() throws(FileError) {
    guard stream.pointee.next_in.pointee == Gzip.magic[0] else {
      throw damage("bytes after the gzip data that are no gzip")
    }
    inflateReset(stream)
    isBetweenMembers = false
  }

  private func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let room = UInt32(min(buffer.count, 1 << 30))
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = room
    let status = CZlib.inflate(stream, Z_NO_FLUSH)
    let count = Int(room - stream.pointee.avail_out)
    producedCount += count
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isBetweenMembers = true
    default: throw damage(stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)")
    }
    return count
  }

  private func damage(_ what: String) -> FileError {
    let place = fetchedCount - Int(stream.pointee.avail_in)
    let words =
      what == "incorrect data check" ? "content whose checksum does not match" : what
    return FileError(
      .malformed, path: file.path, byteOffset: producedCount, expected: "sound gzip data",
      found: "\(words) (byte \(place.groupedDigits) of the \(file.byteCount.groupedDigits) compressed ones)",
      remedy: "fetch or copy the file again")
  }
}
