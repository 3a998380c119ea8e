import PlainText

extension IDX {
  /// Reads an IDX file, raw or gzip as its content tells, whatever its name.
  ///
  /// What the header claims is compared with what the file can hold before memory is taken for it.
  /// Throws a `FileError` with the byte offset for anything but a whole and sound IDX file.
  public static func read(_ path: String) throws(FileError) -> IDX {
    let content = try ContentReader(path: path)
    let head = try content.read(upTo: IDXHeader.largestByteCount)
    let header = try IDXHeader(head: head, content: content)
    let total = header.byteCount + header.payloadByteCount
    if head.count > total { throw surplus(header, path: path) }
    let payload = try content.read(
      upTo: header.payloadByteCount, after: head.dropFirst(header.byteCount))
    guard payload.count == header.payloadByteCount else {
      let length = header.byteCount + payload.count
      throw FileError(
        .malformed, path: path, byteOffset: length,
        expected: "\(total.groupedDigits) bytes for \(header.claim)",
        found: "\(length.groupedDigits) bytes", remedy: "the file is cut short: fetch or write it again")
    }
    // Also lets the last gzip checksum be seen.
    if try !content.read(upTo: 1).isEmpty { throw surplus(header, path: path) }
    return IDX(elementType: header.elementType, dimensions: header.dimensions, payload: payload)
  }

  private static func surplus(_ header: IDXHeader, path: String) -> FileError {
    let total = header.byteCount + header.payloadByteCount
    return FileError(
      .malformed, path: path, byteOffset: total, expected: "\(total.groupedDigits) bytes for \(header.claim)",
      found: "more bytes after them",
      remedy: "the header counts too few, or something was appended: write the file again")
  }

  /// Writes the array as an IDX file, raw or gzip.
  ///
  /// The file appears only when it is complete, and its bytes depend on the array alone.
  /// Throws a `FileError` where it cannot be written; a file that was there before is then untouched.
  public func write(to path: String, gzip: Bool = false) throws(FileError) {
    let file = try AtomicFile(path: path)
    let sizes = dimensions.flatMap { size in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
    }
    let header = [0, 0, elementType.rawValue, UInt8(dimensions.count)] + sizes
    if gzip {
      let deflater = try Deflater(file)
      try deflater.write(header)
      try deflater.write(payload)
      try deflater.finish()
    } else {
      try file.write(header)
      try file.write(payload)
    }
    try file.commit()
  }
}
