import Wire

// A file of TensorBoard's events is a series of records, little-endian throughout:
//
//   size  content
//   8     n, the length of the event
//   4     masked CRC-32C of these 8 bytes
//   n     the event, a protocol buffers message
//   4     masked CRC-32C of the n bytes
//
// Event:        1 wall_time double, 2 step int64, 3 file_version string, 5 summary Summary,
//               7 session_log SessionLog
// Summary:      1 value Value, repeated
// Value:        1 tag string, 2 simple_value float
// SessionLog:   1 status enum, of which 1 is START

/// Records of an event file, made in memory that is kept from one to the next.
struct EventRecords {
  /// The records that were appended.
  private(set) var bytes: [UInt8] = []
  private var event = ProtobufWriter()

  /// Forgets the records.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends the record that every event file begins with.
  mutating func appendVersion(wallTime: Double) {
    append(wallTime: wallTime, step: nil) { $0.string("brain.Event:2", field: 3) }
  }

  /// Appends that a process starts with this step: a reader forgets what it has seen of it and of later steps.
  mutating func appendStart(wallTime: Double, step: Int) {
    append(wallTime: wallTime, step: step) { $0.message(field: 7) { $0.integer(1, field: 1) } }
  }

  /// Appends the scalars of a step; `wallTime` is in seconds since 1970.
  mutating func appendScalars(wallTime: Double, step: Int, _ scalars: (inout ProtobufWriter) -> Void) {
    append(wallTime: wallTime, step: step) { $0.message(field: 5, scalars) }
  }

  private mutating func append(wallTime: Double, step: Int?, _ content: (inout ProtobufWriter) -> Void) {
    event.removeAll()
    event.double(wallTime, field: 1)
    if let step { event.integer(step, field: 2) }
    content(&event)
    let count = UInt64(event.bytes.count).littleEndian
    withUnsafeBytes(of: count) { count in
      bytes.append(contentsOf: count)
      appendWord(Self.maskedChecksum(count))
    }
    bytes.append(contentsOf: event.bytes)
    appendWord(event.bytes.withUnsafeBytes(Self.maskedChecksum))
  }

  private mutating func appendWord(_ word: UInt32) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Masked, since a checksum of bytes that hold their own checksum says little.
  fileprivate static func maskedChecksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let sum = CRC32C.checksum(bytes)
    return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
  }
}

extension ProtobufWriter {
  /// Adds a value to a summary.
  mutating func scalar(_ tag: String, _ value: Double) {
    message(field: 1) {
      $0.string(tag, field: 1)
      $0.float(Float(value), field: 2)
    }
  }
}

extension EventRecords {
  /// How many of a file's bytes are whole records of steps up to `step`, from the start to the first other one.
  static func byteCount(in file: [UInt8], upTo step: Int) -> Int {
    var position = 0
    while let next = next(in: file, at: position), next.step <= step { position = next.end }
    return position
  }

  /// The step of the record at `position`, 0 where it names none, and where the record ends; nil if it is no record.
  private static func next(in file: [UInt8], at position: Int) -> (step: Int, end: Int)? {
    let rest = file[position...]
    guard rest.count >= 16 else { return nil }
    let count = word(rest.prefix(8))
    guard count <= rest.count - 16, isRight(rest.prefix(8), followedBy: rest.dropFirst(8)) else { return nil }
    let event = rest.dropFirst(12).prefix(Int(count))
    guard isRight(event, followedBy: file[event.endIndex...]) else { return nil }
    var reader = ProtobufReader(event)
    var step = 0
    do {
      while let field = try reader.next() {
        if field.number == 2, case .varint(let value) = field.value { step = Int(Int64(bitPattern: value)) }
      }
    } catch {
      return nil
    }
    return (step, event.endIndex + 4)
  }

  private static func isRight(_ bytes: ArraySlice<UInt8>, followedBy rest: ArraySlice<UInt8>) -> Bool {
    UInt64(bytes.withUnsafeBytes(maskedChecksum)) == word(rest.prefix(4))
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
