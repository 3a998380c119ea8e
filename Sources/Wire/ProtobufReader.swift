/// Reads a message in the wire format of protocol buffers, one field after another.
///
/// ```swift
/// var reader = ProtobufReader(bytes[...])
/// while let field = try reader.next() {
///   if field.number == 2, case .varint(let step) = field.value { return step }
/// }
/// ```
///
/// It takes any bytes: what is no message is an error, and never a trap.
public struct ProtobufReader: Sendable {
  /// A field as it lies in the message; what type it has, only its reader knows.
  public struct Field: Hashable, Sendable {
    public var number: Int
    public var value: Value
  }

  public enum Value: Hashable, Sendable {
    /// An integer, bool or enum; a negative one as 64 bits of two's complement.
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// A string, bytes, a message or packed numbers.
    case bytes(ArraySlice<UInt8>)
  }

  private var rest: ArraySlice<UInt8>

  /// A reader of a whole message.
  public init(_ message: ArraySlice<UInt8>) { rest = message }

  /// The next field, or nil at the end.
  ///
  /// Throws a `ProtobufError` if there is none though the message goes on; the reader is of no use then.
  public mutating func next() throws(ProtobufError) -> Field? {
    guard !rest.isEmpty else { return nil }
    let start = rest.startIndex
    let key = try varint()
    guard let number = Int(exactly: key >> 3), (1..<1 << 29).contains(number),
      let type = ProtobufWireType(rawValue: key & 7)
    else { throw ProtobufError(offset: start) }
    let value: Value =
      switch type {
      case .varint: .varint(try varint())
      case .fixed64: .fixed64(try fixed())
      case .fixed32: .fixed32(try fixed())
      case .lengthDelimited: .bytes(try bytes(try varint()))
      }
    return Field(number: number, value: value)
  }

  /// The integers of a packed field; a negative one as 64 bits of two's complement.
  ///
  /// Throws a `ProtobufError` if the last one is cut off.
  public static func varints(_ packed: ArraySlice<UInt8>) throws(ProtobufError) -> [UInt64] {
    var (reader, values) = (ProtobufReader(packed), [UInt64]())
    while !reader.rest.isEmpty { values.append(try reader.varint()) }
    return values
  }

  private mutating func varint() throws(ProtobufError) -> UInt64 {
    let start = rest.startIndex
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { break }
      let bits = UInt64(byte & 0x7F)
      // Of the tenth byte only the lowest bit has a place.
      guard shift < 63 || bits <= 1 else { break }
      value |= bits << shift
      if byte < 0x80 { return value }
    }
    throw ProtobufError(offset: start)
  }

  private mutating func fixed<Word: FixedWidthInteger>() throws(ProtobufError) -> Word {
    try bytes(UInt64(MemoryLayout<Word>.size)).reversed().reduce(0) { $0 << 8 | Word($1) }
  }

  private mutating func bytes(_ count: UInt64) throws(ProtobufError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw ProtobufError(offset: rest.startIndex) }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }
}

/// Bytes that are no protocol buffers message.
public struct ProtobufError: Error, Hashable, Sendable {
  /// The index, in the slice that was read, of the field or number that could not be.
  public var offset: Int
}
