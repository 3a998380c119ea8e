import Foundation
import PlainText

/// Reads the JSON of a safetensors header, which has only objects of a known form, strings and whole numbers.
///
/// Foundation's reader would do, but it neither tells of names that stand twice nor where something stands,
/// and builds a tree many times as large as the text.
struct HeaderScanner {
  struct Misfit: Error {
    let offset: Int
    let expected: String
    let found: String
  }

  /// One array as the header describes it, unchecked.
  struct RawEntry {
    let name: String
    /// Where the entry begins.
    let offset: Int
    var type = ""
    var shape: [Int] = []
    var begin = 0
    var end = 0
  }

  private let bytes: ArraySlice<UInt8>
  private var at: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  mutating func header() throws(Misfit) -> (entries: [RawEntry], metadata: [String: String]) {
    var entries: [RawEntry] = []
    var metadata: [String: String] = [:]
    try object { scanner, name, offset throws(Misfit) in
      if name == SafetensorsHeader.metadataName {
        try scanner.object { scanner, key, _ throws(Misfit) in metadata[key] = try scanner.string() }
      } else {
        entries.append(try scanner.entry(name, offset))
      }
    }
    skipSpace()
    guard at == bytes.endIndex else { throw misfit("the end of the header") }
    return (entries, metadata)
  }

  private mutating func entry(_ name: String, _ offset: Int) throws(Misfit) -> RawEntry {
    var entry = RawEntry(name: name, offset: offset)
    var members: Set<String> = []
    try object { scanner, key, offset throws(Misfit) in
      members.insert(key)
      switch key {
      case "dtype": entry.type = try scanner.string()
      case "shape": entry.shape = try scanner.counts()
      case "data_offsets":
        let offsets = try scanner.counts()
        guard offsets.count == 2 else {
          throw Misfit(offset: offset, expected: "two data_offsets", found: "\(offsets.count)")
        }
        (entry.begin, entry.end) = (offsets[0], offsets[1])
      default:
        throw Misfit(offset: offset, expected: "dtype, shape or data_offsets", found: key.quoted)
      }
    }
    guard members.count == 3 else {
      throw Misfit(
        offset: offset, expected: "dtype, shape and data_offsets of \(name.quoted)",
        found: members.isEmpty ? "none" : "only \(members.sorted().joined(separator: ", "))")
    }
    return entry
  }

  /// Takes an object, and calls `member` after each name and colon. No name may stand twice.
  private mutating func object(
    _ member: (inout HeaderScanner, _ name: String, _ offset: Int) throws(Misfit) -> Void
  ) throws(Misfit) {
    try take("{")
    var names: Set<String> = []
    guard !has("}") else { return }
    repeat {
      skipSpace()
      let offset = at
      let name = try string()
      guard names.insert(name).inserted else {
        throw Misfit(offset: offset, expected: "each name once", found: "\(name.quoted) again")
      }
      try take(":")
      try member(&self, name, offset)
    } while has(",")
    try take("}")
  }

  /// An array of whole numbers from 0 on.
  private mutating func counts() throws(Misfit) -> [Int] {
    try take("[")
    var counts: [Int] = []
    guard !has("]") else { return counts }
    repeat {
      skipSpace()
      let start = at
      while at < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) { at += 1 }
      guard let count = Int(String(decoding: bytes[start..<at], as: UTF8.self)) else {
        at = start
        throw misfit("a whole number below 2^63")
      }
      counts.append(count)
    } while has(",")
    try take("]")
    return counts
  }

  private mutating func string() throws(Misfit) -> String {
    skipSpace()
    let start = at
    try take("\"")
    var isEscaped = false
    while at < bytes.endIndex, bytes[at] != UInt8(ascii: "\"") {
      let isBackslash = bytes[at] == UInt8(ascii: "\\")
      isEscaped = isEscaped || isBackslash
      at += isBackslash ? 2 : 1
    }
    guard at < bytes.endIndex else {
      at = bytes.endIndex
      throw misfit("the end of a string")
    }
    at += 1
    let inside = bytes[start + 1..<at - 1]
    guard isEscaped else {
      guard let text = String(validating: inside, as: UTF8.self) else {
        throw Misfit(offset: start, expected: "a string of UTF-8", found: "other bytes")
      }
      return text
    }
    // Foundation knows the escapes.
    guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<at])) else {
      throw Misfit(offset: start, expected: "a string of JSON", found: "an escape that is none")
    }
    return text
  }

  private mutating func skipSpace() {
    while at < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
  }

  /// Takes a character if it comes next.
  private mutating func has(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard at < bytes.endIndex, bytes[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) throws(Misfit) {
    guard has(character) else { throw misfit("'\(character)'") }
  }

  private func misfit(_ expected: String) -> Misfit {
    let found =
      at < bytes.endIndex ? String(decoding: bytes[at..<min(at + 1, bytes.endIndex)], as: UTF8.self) : nil
    return Misfit(offset: at, expected: expected, found: found.map { $0.quoted } ?? "the end of the header")
  }
}
