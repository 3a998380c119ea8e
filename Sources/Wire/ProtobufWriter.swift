/// Writes messages in the wire format of protocol buffers, one field after another.
///
/// ```swift
/// var message = ProtobufWriter()
/// message.integer(150, field: 1)
/// message.message(field: 3) { $0.string("testing", field: 2) }
/// message.bytes
/// ```
public struct ProtobufWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// Forgets what was written, but keeps the memory for what comes next.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// A field of type int32, int64, uint32, uint64, bool or enum; a negative number takes ten bytes.
  public mutating func integer(_ value: Int, field: Int) {
    key(field, .varint)
    bytes.append(contentsOf: Varint(UInt64(bitPattern: Int64(value))))
  }

  /// A field of type double.
  public mutating func double(_ value: Double, field: Int) {
    key(field, .fixed64)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A field of type float.
  public mutating func float(_ value: Float, field: Int) {
    key(field, .fixed32)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A field of type string.
  public mutating func string(_ value: String, field: Int) {
    key(field, .lengthDelimited)
    bytes.append(contentsOf: Varint(UInt64(value.utf8.count)))
    bytes.append(contentsOf: value.utf8)
  }

  /// A field of type bytes.
  public mutating func bytes(_ value: some Collection<UInt8>, field: Int) {
    key(field, .lengthDelimited)
    bytes.append(contentsOf: Varint(UInt64(value.count)))
    bytes.append(contentsOf: value)
  }

  /// A field of repeated integers, packed; nothing where there are none.
  public mutating func integers(_ values: [Int], field: Int) {
    guard !values.isEmpty else { return }
    let varints = values.map { Varint(UInt64(bitPattern: Int64($0))) }
    key(field, .lengthDelimited)
    bytes.append(contentsOf: Varint(UInt64(varints.reduce(0) { $0 + $1.count })))
    for varint in varints { bytes.append(contentsOf: varint) }
  }

  /// A field of repeated floats, packed; nothing where there are none.
  public mutating func floats(_ values: [Float], field: Int) {
    guard !values.isEmpty else { return }
    key(field, .lengthDelimited)
    bytes.append(contentsOf: Varint(UInt64(4 * values.count)))
    bytes.reserveCapacity(bytes.count + 4 * values.count)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// A field that is a message of its own. Cost: its bytes are moved once to make room for their number.
  public mutating func message(field: Int, _ content: (inout ProtobufWriter) -> Void) {
    key(field, .lengthDelimited)
    let start = bytes.count
    content(&self)
    bytes.insert(contentsOf: Varint(UInt64(bytes.count - start)), at: start)
  }

  private mutating func key(_ field: Int, _ type: ProtobufWireType) {
    bytes.append(contentsOf: Varint(UInt64(field) << 3 | type.rawValue))
  }
}

/// How a field's value is laid out: the low three bits of the key in front of it.
enum ProtobufWireType: UInt64 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5
}

/// The bytes of a number: seven bits each, the lowest first; the high bit says that another byte follows.
struct Varint: RandomAccessCollection {
  private let value: UInt64
  let endIndex: Int
  let startIndex = 0

  init(_ value: UInt64) {
    self.value = value
    endIndex = Swift.max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }

  subscript(index: Int) -> UInt8 {
    let bits = UInt8(truncatingIfNeeded: value >> (7 * UInt64(index))) & 0x7F
    return index < endIndex - 1 ? bits | 0x80 : bits
  }
}
