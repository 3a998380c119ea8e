import Foundation
import Testing

/// An event of TensorBoard's, decoded without the library's help.
struct DecodedEvent {
  var wallTime = 0.0
  var step = 0
  var version: String?
  var isStart = false
  var scalars: [Scalar] = []

  struct Scalar: Hashable {
    var tag = ""
    var step = 0
    var value: Float = 0
  }

  struct Damage: Error {}

  /// All events of a file; throws `Damage` if it ends within a record or a checksum is wrong.
  static func all(in file: Data) throws -> [DecodedEvent] {
    var rest = Array(file)[...]
    var events: [DecodedEvent] = []
    while !rest.isEmpty {
      let length = try take(8, of: &rest)
      guard try number(take(4, of: &rest)) == masked(length) else { throw Damage() }
      let event = try take(number(length), of: &rest)
      guard try number(take(4, of: &rest)) == masked(event) else { throw Damage() }
      events.append(try DecodedEvent(event))
    }
    return events
  }

  private init(_ message: ArraySlice<UInt8>) throws {
    for (field, value) in try Self.fields(message) {
      switch field {
      case 1: wallTime = Double(bitPattern: UInt64(bitPattern: Int64(Self.number(value))))
      case 2: step = Self.number(value)
      case 3: version = String(decoding: value, as: UTF8.self)
      case 5: scalars = try Self.fields(value).map { try Self.scalar($0.value) }
      case 7: isStart = value.elementsEqual([8, 1])
      default: throw Damage()
      }
    }
    for index in scalars.indices { scalars[index].step = step }
  }

  private static func scalar(_ message: ArraySlice<UInt8>) throws -> Scalar {
    var scalar = Scalar()
    for (field, value) in try fields(message) {
      switch field {
      case 1: scalar.tag = String(decoding: value, as: UTF8.self)
      case 2: scalar.value = Float(bitPattern: UInt32(number(value)))
      default: throw Damage()
      }
    }
    return scalar
  }

  /// The fields of a message, each with its bytes; an integer as eight little-endian ones.
  private static func fields(_ message: ArraySlice<UInt8>) throws -> [(field: Int, value: ArraySlice<UInt8>)]
  {
    var rest = message
    var fields: [(field: Int, value: ArraySlice<UInt8>)] = []
    while !rest.isEmpty {
      let key = try varint(&rest)
      let value: ArraySlice<UInt8> =
        switch key % 8 {
        case 0: withUnsafeBytes(of: try varint(&rest).littleEndian) { Array($0)[...] }
        case 1: try take(8, of: &rest)
        case 2: try take(varint(&rest), of: &rest)
        case 5: try take(4, of: &rest)
        default: throw Damage()
        }
      fields.append((key / 8, value))
    }
    return fields
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> Int {
    let byte = try number(take(1, of: &rest))
    return try byte < 128 ? byte : byte - 128 + 128 &* varint(&rest)
  }

  private static func take(_ count: Int, of rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw Damage() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// CRC-32C bit by bit, as TensorFlow masks it.
  private static func masked(_ bytes: ArraySlice<UInt8>) -> Int {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc % 2 == 1 ? crc / 2 ^ 0x82F6_3B78 : crc / 2 }
    }
    crc = ~crc
    return Int((crc >> 15 | crc << 17) &+ 0xA282_EAD8)
  }
}

extension Workplace {
  /// The names of a run's event files, in their order.
  func eventFiles(_ run: String) throws -> [String] {
    try names(in: run).filter { $0.contains("tfevents") }
  }

  /// The scalars in a run's event files, file after file.
  ///
  /// Expects each file to be whole, to start as such files do, and no scalar to be given twice for a step.
  func scalars(
    _ run: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [DecodedEvent.Scalar] {
    var scalars: [DecodedEvent.Scalar] = []
    for name in try eventFiles(run) {
      let events = try DecodedEvent.all(in: bytes("\(run)/\(name)"))
      // A process that was killed may have got no further than to the file, or to its head.
      #expect(events.first.map { $0.version == "brain.Event:2" } ?? true, sourceLocation: sourceLocation)
      let rest = events.dropFirst()
      #expect(rest.map(\.isStart) == rest.indices.map { $0 == 1 }, sourceLocation: sourceLocation)
      // A reader forgets what it has seen of the start's step and later ones.
      let start = rest.first?.step ?? .max
      #expect(scalars.allSatisfy { $0.step < start }, sourceLocation: sourceLocation)
      #expect(rest.allSatisfy { $0.step >= start }, sourceLocation: sourceLocation)
      scalars += rest.flatMap(\.scalars)
    }
    for (tag, ofTag) in Dictionary(grouping: scalars, by: \.tag) {
      let steps = ofTag.map(\.step)
      #expect(
        zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "\(tag) \(steps)",
        sourceLocation: sourceLocation
      )
    }
    return scalars
  }

  /// The scalars, with the speed as 0 since it depends on the clock.
  func repeatableScalars(
    _ run: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [DecodedEvent.Scalar] {
    try scalars(run, sourceLocation: sourceLocation).map { scalar in
      var scalar = scalar
      if scalar.tag == "epoch/images_per_second" { scalar.value = 0 }
      return scalar
    }
  }
}
