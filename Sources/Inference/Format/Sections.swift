/// Where each section's content lies in the file.
struct Sections {
  private(set) var input = 0..<0
  private(set) var labels = 0..<0
  private(set) var operations = 0..<0
  private(set) var tensors = 0..<0
  // These two begin at 0 where they are not there.
  private(set) var values = 0..<0
  private(set) var metadata = 0..<0
  /// 0 without the section.
  private(set) var refusalThreshold: Float = 0
  private(set) var takesNormalizedInk = false

  /// Finds the sections of a file whose length and checksum are right.
  init(_ bytes: UnsafeRawBufferPointer) throws(InkError) {
    let content = try Self.checkFrame(bytes)
    var reader = ByteReader(bytes, 6..<content)
    let count = try reader.short()
    _ = try reader.word()
    // A section is seen by its bit.
    var seen: UInt8 = 0
    for _ in 0..<count {
      let start = reader.offset
      let tag = try reader.word()
      let range = try reader.take(try reader.count())
      guard let section = InkFormat.Section(rawValue: tag) else {
        if InkFormat.mustUnderstand(tag) { throw InkError(.unknownSection, at: start) }
        continue
      }
      let bit: UInt8
      switch section {
      case .input: (input, bit) = (range, 1)
      case .labels: (labels, bit) = (range, 2)
      case .operations: (operations, bit) = (range, 4)
      case .tensors: (tensors, bit) = (range, 8)
      case .values: (values, bit) = (range, 16)
      case .metadata: (metadata, bit) = (range, 32)
      case .refusal:
        bit = 64
        refusalThreshold = range.count == 4 ? Float(bitPattern: bytes.word(at: range.lowerBound)) : .nan
      case .normalization:
        bit = 128
        takesNormalizedInk = true
        if range.count != 1 || bytes[range.lowerBound] != 1 { refusalThreshold = .nan }
      }
      // NaN is no threshold.
      guard refusalThreshold >= 0, refusalThreshold <= 1 else { throw InkError(.number, at: start) }
      guard seen & bit == 0 else { throw InkError(.sections, at: start) }
      seen |= bit
    }
    guard reader.isAtEnd else { throw InkError(.length, at: reader.offset) }
    guard seen & 15 == 15 else { throw InkError(.sections, at: 6) }
    if metadata.lowerBound > 0 { try Self.readMetadata(bytes, metadata) { _, _ in } }
  }

  /// Magic, version, length and checksum; gives the end of the last section.
  private static func checkFrame(_ bytes: UnsafeRawBufferPointer) throws(InkError) -> Int {
    let smallest = InkFormat.headerByteCount + InkFormat.checksumByteCount
    guard bytes.count >= 4, bytes.word(at: 0) == InkFormat.magic else { throw InkError(.notInk, at: 0) }
    guard bytes.count >= smallest else { throw InkError(.length, at: bytes.count) }
    guard bytes[4] == InkFormat.version else { throw InkError(.version, at: 4) }
    guard bytes.count <= Int(Int32.max), bytes.word(at: 8) == UInt32(bytes.count) else {
      throw InkError(.length, at: 8)
    }
    let end = bytes.count - InkFormat.checksumByteCount
    guard checksum(UnsafeRawBufferPointer(rebasing: bytes[..<end])) == bytes.word(at: end) else {
      throw InkError(.checksum, at: end)
    }
    let alignment = bytes[5]
    guard alignment >= 1, alignment <= 64, alignment & (alignment - 1) == 0 else {
      throw InkError(.number, at: 5)
    }
    return end
  }

  static func readMetadata(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) throws(InkError) {
    var reader = ByteReader(bytes, range)
    for _ in 0..<(try reader.short()) {
      let key = try reader.take(try reader.byte())
      let value = try reader.take(try reader.short())
      guard isUTF8(bytes, key), isUTF8(bytes, value) else { throw InkError(.text, at: key.lowerBound) }
      body(UnsafeRawBufferPointer(rebasing: bytes[key]), UnsafeRawBufferPointer(rebasing: bytes[value]))
    }
    guard reader.isAtEnd else { throw InkError(.length, at: reader.offset) }
  }
}

extension Network {
  /// The number of classes; throws unless each has a name in UTF-8, and a label value where there are any.
  static func checkLabels(_ bytes: UnsafeRawBufferPointer, _ sections: Sections) throws(InkError) -> Int {
    var reader = ByteReader(bytes, sections.labels)
    let count = try reader.short()
    for _ in 0..<count {
      let name = try reader.take(try reader.byte())
      guard !name.isEmpty, isUTF8(bytes, name) else { throw InkError(.classes, at: name.lowerBound) }
    }
    guard reader.isAtEnd, count > 0 else { throw InkError(.classes, at: sections.labels.lowerBound) }
    let values = sections.values
    if values.lowerBound > 0 {
      guard values.count == 4 &* count else { throw InkError(.classes, at: values.lowerBound) }
      for index in 1..<max(1, count) {
        let at = values.lowerBound &+ 4 &* index
        guard Int32(bitPattern: bytes.word(at: at &- 4)) < Int32(bitPattern: bytes.word(at: at)) else {
          throw InkError(.classes, at: at)
        }
      }
    }
    return count
  }

  /// Throws unless each tensor lies within the section, at the file's alignment.
  static func checkTensors(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(InkError) {
    var reader = ByteReader(bytes, range)
    let count = try reader.short()
    let entries = try reader.take(count &* InkFormat.tensorEntryByteCount)
    var entry = ByteReader(bytes, entries)
    for _ in 0..<count {
      let start = entry.offset
      // The type is followed by three zeros.
      let code = try entry.word()
      guard let type = TensorType(rawValue: UInt8(truncatingIfNeeded: code)) else {
        throw InkError(.unknownKind, at: start)
      }
      let (rows, columns, offset) = (try entry.count(), try entry.count(), try entry.count())
      guard code >> 8 == 0 else { throw InkError(.number, at: start) }
      guard rows > 0, columns > 0, offset % Int(bytes[5]) == 0, offset >= entries.upperBound,
        let size = type.byteCount(rows: rows, columns: columns), offset <= range.upperBound,
        size <= range.upperBound &- offset
      else { throw InkError(.tensor, at: start) }
    }
  }
}

/// Whether the bytes are well-formed UTF-8 (RFC 3629): no overlong form, no surrogate, nothing above U+10FFFF.
///
/// Our own, since the standard library's brings its tables along, which a small device has no room for.
private func isUTF8(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
  var at = range.lowerBound
  while at < range.upperBound {
    let first = bytes[at]
    at += 1
    let (more, low, high): (Int, UInt8, UInt8)
    switch first {
    case 0x00...0x7F: continue
    case 0xC2...0xDF: (more, low, high) = (1, 0x80, 0xBF)
    case 0xE0: (more, low, high) = (2, 0xA0, 0xBF)
    case 0xED: (more, low, high) = (2, 0x80, 0x9F)
    case 0xE1...0xEF: (more, low, high) = (2, 0x80, 0xBF)
    case 0xF0: (more, low, high) = (3, 0x90, 0xBF)
    case 0xF4: (more, low, high) = (3, 0x80, 0x8F)
    case 0xF1...0xF3: (more, low, high) = (3, 0x80, 0xBF)
    default: return false
    }
    guard range.upperBound - at >= more, bytes[at] >= low, bytes[at] <= high else { return false }
    for next in 1..<max(1, more) where bytes[at + next] & 0xC0 != 0x80 { return false }
    at += more
  }
  return true
}
