import Testing

@testable import Wire

@Suite struct ProtobufReaderTests {
  private func fields(_ bytes: [UInt8]) throws -> [ProtobufReader.Field] {
    var reader = ProtobufReader(bytes[...])
    var fields: [ProtobufReader.Field] = []
    while let field = try reader.next() { fields.append(field) }
    return fields
  }

  @Test func findsEachFieldThatWasWritten() throws {
    var writer = ProtobufWriter()
    writer.integer(-1, field: 1)
    writer.integer(300, field: 2)
    writer.double(1.5, field: 3)
    writer.float(-2, field: 4)
    writer.message(field: 100) { $0.string("inner", field: 7) }
    let fields = try fields(writer.bytes)
    #expect(fields.map(\.number) == [1, 2, 3, 4, 100])
    #expect(fields[0].value == .varint(.max))
    #expect(fields[1].value == .varint(300))
    #expect(fields[2].value == .fixed64((1.5).bitPattern))
    #expect(fields[3].value == .fixed32(Float(-2).bitPattern))
    guard case .bytes(let message) = fields[4].value else {
      Issue.record("no message")
      return
    }
    #expect(try self.fields(Array(message)) == [.init(number: 7, value: .bytes(Array("inner".utf8)[...]))])
  }

  /// The example of the format's own documentation, and a negative number.
  @Test func packedIntegersAreTakenApart() throws {
    let packed: [UInt8] = [3, 0x8E, 0x02, 0x9E, 0xA7, 0x05] + [UInt8](repeating: 0xFF, count: 9) + [0x01]
    #expect(try ProtobufReader.varints(packed[...]) == [3, 270, 86942, .max])
    #expect(try ProtobufReader.varints([]) == [])
    #expect(throws: ProtobufError.self) { try ProtobufReader.varints([3, 0x8E]) }
  }

  @Test(
    arguments: [
      [0x08], [0x08, 0x80],  // a number that ends too soon
      [0x09, 0, 0, 0, 0, 0, 0, 0], [0x0D, 0, 0, 0],  // the same of a fixed width
      [0x0A, 2, 1], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],  // too few bytes
      [0x08] + [UInt8](repeating: 0x80, count: 10) + [0],  // a number of eleven bytes
      [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x02],  // one of more than 64 bits
      [0x00, 1],  // field 0
      [0x0B], [0x0C], [0x0E], [0x0F],  // groups, and types that there are not
    ] as [[UInt8]])
  func anythingElseIsAnError(bytes: [UInt8]) {
    #expect(throws: ProtobufError.self) { try fields(bytes) }
    // The same behind a whole field.
    #expect(throws: ProtobufError.self) { try fields([0x10, 1] + bytes) }
  }
}
