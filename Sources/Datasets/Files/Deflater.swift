import CZlib

/// Writes one gzip member whose bytes depend on its content alone: no time, no file name, no system.
final class Deflater {
  private let file: AtomicFile
  // Pointers, as zlib keeps the addresses of both structures.
  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>

  init(_ file: AtomicFile) throws(FileError) {
    self.file = file
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    header = .allocate(capacity: 1)
    header.initialize(to: gz_header())
    header.pointee.os = 255
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Gzip.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Gzip.streamSize)
    guard status == Z_OK, deflateSetHeader(stream, header) == Z_OK else {
      throw FileError(
        .unwritable, path: file.path, expected: "zlib \(ZLIB_VERSION)", found: "zlib error \(status)")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    header.deallocate()
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    // Pieces, as zlib counts input in 32 bits.
    let pieceSize = 1 << 30
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      try deflate(bytes[start..<min(start + pieceSize, bytes.count)], flush: Z_NO_FLUSH)
    }
  }

  /// Writes what is still held back, and the checksum.
  func finish() throws(FileError) { try deflate([], flush: Z_FINISH) }

  private func deflate(_ piece: ArraySlice<UInt8>, flush: Int32) throws(FileError) {
    var failure: FileError?
    piece.withUnsafeBytes { input in
      // zlib's type lacks the const, but it does not write to its input.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = UInt32(input.count)
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { output in
        repeat {
          stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
          stream.pointee.avail_out = UInt32(output.count)
          _ = CZlib.deflate(stream, flush)
          let count = output.count - Int(stream.pointee.avail_out)
          do throws(FileError) {
            try file.write(UnsafeRawBufferPointer(rebasing: output[..<count]))
          } catch {
            failure = error
          }
        } while stream.pointee.avail_out == 0 && failure == nil
      }
    }
    if let failure { throw failure }
  }
}
