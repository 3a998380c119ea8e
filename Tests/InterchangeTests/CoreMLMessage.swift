import Wire

/// A protocol buffers message taken apart, to look fields up by their number.
struct CoreMLMessage {
  private var fields: [ProtobufReader.Field] = []

  init(_ bytes: ArraySlice<UInt8>) throws {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() { fields.append(field) }
  }

  /// The numbers of the fields, each once, ascending.
  var numbers: [Int] { Set(fields.map(\.number)).sorted() }

  func bytes(_ number: Int) -> [ArraySlice<UInt8>] {
    fields.compactMap { field in
      if field.number == number, case .bytes(let bytes) = field.value { bytes } else { nil }
    }
  }

  func messages(_ number: Int) throws -> [CoreMLMessage] { try bytes(number).map { try CoreMLMessage($0) } }

  /// The message in the message in … this one, each the first of its number.
  func message(_ path: Int...) throws -> CoreMLMessage {
    var message = self
    for number in path {
      guard let next = try message.messages(number).first else { throw NoSuchField(number: number) }
      message = next
    }
    return message
  }

  func strings(_ number: Int) -> [String] { bytes(number).map { String(decoding: $0, as: UTF8.self) } }

  func integer(_ number: Int) -> Int? {
    for field in fields where field.number == number {
      if case .varint(let value) = field.value { return Int(truncatingIfNeeded: value) }
    }
    return nil
  }

  func float(_ number: Int) -> Float? {
    for field in fields where field.number == number {
      if case .fixed32(let bits) = field.value { return Float(bitPattern: bits) }
    }
    return nil
  }

  func double(_ number: Int) -> Double? {
    for field in fields where field.number == number {
      if case .fixed64(let bits) = field.value { return Double(bitPattern: bits) }
    }
    return nil
  }

  /// Packed floats.
  func floats(_ number: Int) -> [Float] {
    bytes(number).flatMap { bytes in
      stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { at in
        Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) })
      }
    }
  }

  /// Packed integers below 128, a byte each.
  func smallIntegers(_ number: Int) -> [Int] { bytes(number).flatMap { $0.map(Int.init) } }

  struct NoSuchField: Error { let number: Int }
}
