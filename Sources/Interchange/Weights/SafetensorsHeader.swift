import Datasets
import PlainText

// A safetensors file:
//
//   offset  size  content
//   0       8     n, the length of the header, little-endian, at most 100,000,000
//   8       n     header, a JSON object that begins with { at byte 8; spaces may follow it
//   8+n     rest  the numbers of all arrays, little-endian, row-major, without holes or overlaps
//
// The header has a member for each array, {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, with
// offsets from byte 8+n on, and may have "__metadata__", an object of strings.

/// What a safetensors file says of its arrays, checked against the file's size.
struct SafetensorsHeader {
  struct Entry {
    let name: String
    let format: NumberFormat
    let shape: [Int]
    /// From the file's start.
    let range: Range<Int>
  }

  /// In the order in which they lie in the file.
  let entries: [Entry]
  let metadata: [String: String]

  /// Whether arrays lie in an order that somebody chose: writers sort by type first, and those of a type by name.
  var keepsOrder: Bool {
    zip(entries, entries.dropFirst()).contains { first, second in
      first.format.isFloat && first.format == second.format
        && !first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
    }
  }

  static let largestHeader = 100_000_000
  static let metadataName = "__metadata__"

  static func begins(_ bytes: [UInt8]) -> Bool { bytes.count >= 9 && bytes[8] == UInt8(ascii: "{") }

  init(_ bytes: [UInt8], path: String) throws(FileError) {
    var length: UInt64 = 0
    for index in 0..<8 { length |= UInt64(bytes[index]) << (8 * UInt64(index)) }
    guard length <= UInt64(Self.largestHeader), Int(length) <= bytes.count - 8 else {
      throw Self.error(
        path, at: 0, "a header within the file and of at most 100,000,000 bytes",
        "a length of \(length.groupedDigits) bytes")
    }
    let start = 8 + Int(length)
    var scanner = HeaderScanner(bytes[8..<start])
    do {
      let content = try scanner.header()
      metadata = content.metadata
      entries = try content.entries.map { raw throws(HeaderScanner.Misfit) in
        try Self.entry(raw, dataStart: start, end: bytes.count)
      }.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    } catch {
      throw Self.error(path, at: error.offset, error.expected, error.found)
    }
    var end = start
    for entry in entries {
      guard entry.range.lowerBound == end else {
        throw Self.error(
          path, at: end, "the numbers of one array after those of another",
          entry.range.lowerBound < end
            ? "\(entry.name.quoted), which overlaps the one before" : "a hole before \(entry.name.quoted)")
      }
      end = entry.range.upperBound
    }
    guard end == bytes.count else {
      throw Self.error(
        path, at: end, "the end of the file",
        "\((bytes.count - end).groupedDigits) bytes that belong to no array")
    }
  }

  /// The arrays of floats; the names of others go to `skipped`.
  func arrays(
    _ bytes: [UInt8], path: String, skipped: inout [String]
  ) throws(FileError) -> [WeightFile.NamedArray] {
    var arrays: [WeightFile.NamedArray] = []
    for entry in entries {
      guard entry.format.isFloat else {
        skipped.append(entry.name)
        continue
      }
      let values = bytes.withUnsafeBytes {
        entry.format.decoded(UnsafeRawBufferPointer(rebasing: $0[entry.range]))
      }
      arrays.append(WeightFile.NamedArray(name: entry.name, shape: entry.shape, values: values))
    }
    return arrays
  }

  private static let formats: [String: NumberFormat] = [
    "F16": .float16, "BF16": .bfloat16, "F32": .float32, "F64": .float64,
    "BOOL": .whole(byteCount: 1), "U8": .whole(byteCount: 1), "I8": .whole(byteCount: 1),
    "U16": .whole(byteCount: 2), "I16": .whole(byteCount: 2), "U32": .whole(byteCount: 4),
    "I32": .whole(byteCount: 4), "U64": .whole(byteCount: 8), "I64": .whole(byteCount: 8),
  ]

  private static func entry(
    _ raw: HeaderScanner.RawEntry, dataStart: Int, end: Int
  ) throws(HeaderScanner.Misfit) -> Entry {
    func misfit(_ expected: String, _ found: String) -> HeaderScanner.Misfit {
      HeaderScanner.Misfit(offset: raw.offset, expected: expected, found: found)
    }
    let name = raw.name.quoted
    guard let format = formats[raw.type] else {
      throw misfit("\(name) as F32, F16, BF16, F64 or whole numbers", raw.type.quoted)
    }
    guard let size = format.byteCount(of: raw.shape) else {
      throw misfit("a shape of \(name) that a file can hold", "\(raw.shape.shapeText)")
    }
    let available = end - dataStart
    guard raw.begin <= raw.end, raw.end <= available else {
      throw misfit(
        "\(name) within the \(available.groupedDigits) bytes of numbers", "bytes \(raw.begin) to \(raw.end)")
    }
    guard raw.end - raw.begin == size else {
      throw misfit(
        "\(size.groupedDigits) bytes for \(name), \(raw.type) \(raw.shape.shapeText)",
        "\((raw.end - raw.begin).groupedDigits)")
    }
    return Entry(
      name: raw.name, format: format, shape: raw.shape, range: dataStart + raw.begin..<dataStart + raw.end)
  }

  private static func error(_ path: String, at offset: Int, _ expected: String, _ found: String) -> FileError
  {
    FileError(
      .malformed, path: path, byteOffset: offset, expected: expected, found: found,
      remedy: "save the weights again with Python's safetensors")
  }
}

extension [Int] {
  /// Such as `[10, 128]`; the first few sides alone of a file's nonsense.
  var shapeText: String {
    "[" + prefix(8).map(String.init).joined(separator: ", ") + (count > 8 ? ", …]" : "]")
  }
}
