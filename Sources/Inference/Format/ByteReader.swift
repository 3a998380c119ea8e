/// Reads little-endian numbers one after another; never past the end, whatever the bytes say.
struct ByteReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int
  let end: Int

  /// - Precondition: `range` lies within the bytes.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { offset == end }

  /// Takes so many bytes; throws if there are fewer.
  mutating func take(_ count: Int) throws(InkError) -> Range<Int> {
    guard count >= 0, count <= end &- offset else { throw InkError(.length, at: offset) }
    offset &+= count
    // Unchecked, since the bounds were checked above.
    return Range(uncheckedBounds: (offset &- count, offset))
  }

  mutating func byte() throws(InkError) -> Int { Int(bytes[try take(1).lowerBound]) }

  mutating func short() throws(InkError) -> Int { bytes.short(at: try take(2).lowerBound) }

  mutating func word() throws(InkError) -> UInt32 { bytes.word(at: try take(4).lowerBound) }

  /// A 32-bit number that must fit an `Int` of 32 bits, as small devices have them.
  mutating func count() throws(InkError) -> Int {
    guard let value = Int32(exactly: try word()) else { throw InkError(.number, at: offset - 4) }
    return Int(value)
  }

  /// A number that is neither infinite nor NaN.
  mutating func float() throws(InkError) -> Float {
    let value = Float(bitPattern: try word())
    guard value.isFinite else { throw InkError(.number, at: offset - 4) }
    return value
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian number of two bytes at `offset`, which need not be aligned.
  func short(at offset: Int) -> Int {
    Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// The little-endian word at `offset`, which need not be aligned.
  func word(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
