@testable import Inference

/// An `.ink` file taken apart into its sections, to be put together otherwise.
struct InkParts {
  var header: [UInt8]
  var sections: [(tag: UInt32, content: [UInt8])] = []
  /// Where the tensors' section stood, from where their offsets count.
  private var tensorsStart = 0

  /// Takes what can be found; whatever follows is left out.
  init(_ file: [UInt8]) {
    header = Array(file.prefix(12))
    file.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, min(12, file.count)..<max(12, file.count - 4))
      while let tag = try? reader.word(), let count = try? reader.count(), let range = try? reader.take(count)
      {
        if tag == InkFormat.Section.tensors.rawValue { tensorsStart = range.lowerBound }
        sections.append((tag, Array(file[range])))
      }
    }
  }

  /// The file, with lengths and checksum as they should be. Tensors' offsets follow their section, which at an
  /// alignment of 1 keeps the file sound.
  var bytes: [UInt8] {
    var file = header
    for (tag, content) in sections {
      file += Self.little(tag) + Self.little(UInt32(content.count))
      let shift = file.count - tensorsStart
      file += tag == InkFormat.Section.tensors.rawValue ? Self.moved(content, by: shift) : content
    }
    file.replaceSubrange(6..<8, with: Self.little(UInt32(sections.count)).prefix(2))
    return Self.repaired(file + [0, 0, 0, 0])
  }

  private static func moved(_ tensors: [UInt8], by shift: Int) -> [UInt8] {
    var moved = tensors
    for entry in Self.entries(tensors) {
      let offset = tensors.withUnsafeBytes { $0.word(at: entry + 12) }
      moved.replaceSubrange(
        entry + 12..<entry + 16, with: little(offset &+ UInt32(truncatingIfNeeded: shift)))
    }
    return moved
  }

  /// Where the entries of the tensor table begin, within their section.
  static func entries(_ tensors: [UInt8]) -> [Int] {
    guard tensors.count > 2 else { return [] }
    let count = min(
      Int(tensors[0]) | Int(tensors[1]) << 8, (tensors.count - 2) / InkFormat.tensorEntryByteCount)
    return (0..<count).map { 2 + $0 * InkFormat.tensorEntryByteCount }
  }

  /// Where each operation lies within its section.
  static func operations(_ content: [UInt8]) -> [Range<Int>] {
    content.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, min(2, content.count)..<content.count)
      var found: [Range<Int>] = []
      while !reader.isAtEnd {
        let start = reader.offset
        guard (try? reader.operation()) != nil else { break }
        found.append(start..<reader.offset)
      }
      return found
    }
  }

  /// The bytes with the length that they have and the checksum that they should have.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 16 else { return bytes }
    var result = bytes
    let end = bytes.count - 4
    result.replaceSubrange(8..<12, with: little(UInt32(bytes.count)))
    let sum = result.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    result.replaceSubrange(end..., with: little(sum))
    return result
  }

  static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
