import Testing

@testable import Wire

@Suite struct ProtobufWriterTests {
  private func written(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
    var writer = ProtobufWriter()
    write(&writer)
    return writer.bytes
  }

  /// Field 1 has the key 8. The first two are examples of the format's own documentation.
  @Test(
    arguments: [
      (150, [0x96, 0x01]), (300, [0xAC, 0x02]), (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 0x01]),
      (16383, [0xFF, 0x7F]), (16384, [0x80, 0x80, 0x01]),
      (.max, [UInt8](repeating: 0xFF, count: 8) + [0x7F]),
      (.min, [UInt8](repeating: 0x80, count: 9) + [0x01]),
      (-1, [UInt8](repeating: 0xFF, count: 9) + [0x01]),
    ] as [(Int, [UInt8])])
  func integersTakeSevenBitsAByte(value: Int, expected: [UInt8]) {
    #expect(written { $0.integer(value, field: 1) } == [8] + expected)
  }

  @Test func numbersOfAFixedWidthAreLittleEndian() {
    #expect(written { $0.double(1.5, field: 1) } == [9, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F])
    #expect(written { $0.float(-2, field: 2) } == [0x15, 0, 0, 0, 0xC0])
  }

  @Test func aStringFollowsItsLengthInBytes() {
    #expect(written { $0.string("testing", field: 2) } == [0x12, 7] + Array("testing".utf8))
    #expect(written { $0.string("é", field: 1) } == [0x0A, 2, 0xC3, 0xA9])
    // The first number of a field whose key takes two bytes.
    #expect(written { $0.string("", field: 16) } == [0x82, 0x01, 0])
  }

  @Test func bytesFollowTheirNumber() {
    #expect(written { $0.bytes([7, 0, 255], field: 9) } == [0x4A, 3, 7, 0, 255])
    #expect(written { $0.bytes([], field: 9) } == [0x4A, 0])
  }

  /// The example of the format's own documentation: 3, 270 and 86942 in field 4; a key of two bytes; and a negative one.
  @Test func repeatedIntegersArePacked() {
    #expect(
      written { $0.integers([3, 270, 86942], field: 4) } == [0x22, 6, 3, 0x8E, 0x02, 0x9E, 0xA7, 0x05])
    #expect(
      written { $0.integers([-1], field: 30) }
        == [0xF2, 0x01, 10] + [UInt8](repeating: 0xFF, count: 9) + [0x01])
    #expect(written { $0.integers([], field: 4) } == [])
  }

  @Test func repeatedFloatsArePacked() {
    #expect(written { $0.floats([-2, 1], field: 1) } == [0x0A, 8, 0, 0, 0, 0xC0, 0, 0, 0x80, 0x3F])
    #expect(written { $0.floats([], field: 1) } == [])
  }

  @Test func messagesLieInOneAnother() {
    #expect(written { $0.message(field: 3) { $0.integer(150, field: 1) } } == [0x1A, 3, 8, 0x96, 0x01])
    let nested = written { writer in
      writer.integer(1, field: 1)
      writer.message(field: 2) {
        $0.message(field: 1) { _ in }
        $0.message(field: 2) { $0.integer(2, field: 1) }
      }
      writer.integer(3, field: 3)
    }
    #expect(nested == [8, 1, 0x12, 6, 0x0A, 0, 0x12, 2, 8, 2, 0x18, 3])
  }

  /// The longest message whose length takes one byte, and the shortest of two and of three.
  @Test(
    arguments: [
      (125, [0x7F], [0x7D]), (126, [0x80, 0x01], [0x7E]), (16381, [0x80, 0x80, 0x01], [0xFD, 0x7F]),
    ] as [(Int, [UInt8], [UInt8])])
  func aLongMessageHasALongLength(count: Int, outer: [UInt8], inner: [UInt8]) {
    let text = String(repeating: "x", count: count)
    let bytes = written { $0.message(field: 1) { $0.string(text, field: 1) } }
    #expect(bytes == [0x0A] + outer + [0x0A] + inner + Array(text.utf8))
  }

  @Test func startsAnew() {
    var writer = ProtobufWriter()
    writer.integer(1, field: 1)
    writer.removeAll()
    writer.integer(2, field: 1)
    #expect(writer.bytes == [8, 2])
  }
}
