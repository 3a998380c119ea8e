@testable import Inference

/// Changes `.ink` files as somebody might who wants the reader to fail: at random, and field by field.
///
/// The fuzzer of `make fuzz` uses it, too; so it needs nothing but the reader.
struct InkMutation {
  private var random: SmallRandom

  init(seed: UInt64) { random = SmallRandom(state: seed) }

  /// A file with one to three changes, whose length and checksum are right again.
  mutating func changed(_ file: [UInt8]) -> [UInt8] {
    var bytes = file
    for _ in 0..<below(3) + 1 {
      switch below(4) {
      case 0: changeBytes(&bytes)
      default: changeParts(&bytes)
      }
    }
    return InkParts.repaired(bytes)
  }

  private mutating func below(_ end: Int) -> Int { Int.random(in: 0..<max(1, end), using: &random) }

  private mutating func byte() -> UInt8 { UInt8(below(256)) }

  /// Anything anywhere, behind magic and version.
  private mutating func changeBytes(_ bytes: inout [UInt8]) {
    guard bytes.count > 20 else { return }
    let at = 5 + below(bytes.count - 9)
    switch below(6) {
    case 0: bytes[at] ^= 1 << UInt8(below(8))
    case 1: bytes[at] = byte()
    case 2: overwrite(&bytes, at: at)
    case 3: bytes.insert(byte(), at: at)
    case 4: bytes.removeSubrange(at..<min(bytes.count - 4, at + 1 + below(9)))
    default: bytes[5] = 1 << UInt8(below(8))
    }
  }

  private mutating func changeParts(_ bytes: inout [UInt8]) {
    var parts = InkParts(bytes)
    guard !parts.sections.isEmpty else { return }
    let index = below(parts.sections.count)
    switch InkFormat.Section(rawValue: parts.sections[index].tag) {
    case .operations where below(8) > 0: changeOperations(&parts.sections[index].content)
    case .tensors where below(8) > 0: changeTensors(&parts.sections[index].content)
    case _ where below(3) > 0: changeContent(&parts.sections[index].content)
    default:
      switch below(4) {
      case 0: parts.sections[index].tag ^= 0x20
      case 1: parts.sections.append(parts.sections[index])
      case 2: parts.sections.swapAt(index, below(parts.sections.count))
      default: parts.sections.remove(at: index)
      }
    }
    parts.header[5] = below(8) > 0 ? 1 : parts.header[5]
    bytes = parts.bytes
  }

  /// Numbers at which arithmetic tends to fail: signs, ends of ranges, floats that are none.
  private static let words: [UInt32] = [
    0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x1FF, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x1_0000, 0x1_0001,
    0xFF_FFFF, 0x100_0000, 0x2000_0000, 0x3FFF_FFFF, 0x4000_0000, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000,
    0x8000_0001, 0xFFFF_FFF0, 0xFFFF_FFFF, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7F7F_FFFF, 0xFF7F_FFFF,
    0x3F80_0000, 0xBF80_0000, 0x3B80_8081,
  ]

  /// One, two or four bytes become one of these numbers, or one that may be a place in the file.
  private mutating func overwrite(_ bytes: inout [UInt8], at offset: Int) {
    let word = below(4) > 0 ? Self.words[below(Self.words.count)] : UInt32(below(bytes.count + 4))
    let end = min(bytes.count, offset + 1 << below(3))
    for index in offset..<max(offset, end) { bytes[index] = InkParts.little(word)[index - offset] }
  }

  private mutating func changeContent(_ content: inout [UInt8]) {
    guard !content.isEmpty else { return }
    switch below(5) {
    case 0: content.insert(byte(), at: below(content.count))
    case 1: content.remove(at: below(content.count))
    case 2: content[below(content.count)] = byte()
    case 3: overwrite(&content, at: 0)
    default: overwrite(&content, at: below(content.count))
    }
  }

  /// A field of a tensor's entry is overwritten or becomes that of another, or numbers become ones that are none.
  private mutating func changeTensors(_ content: inout [UInt8]) {
    let entries = InkParts.entries(content)
    guard !entries.isEmpty else { return changeContent(&content) }
    let (entry, other, field) = (entries[below(entries.count)], entries[below(entries.count)], 4 * below(4))
    switch below(5) {
    case 0: overwrite(&content, at: entry + field)
    case 1: content[entry] = UInt8(below(5))
    case 2: for index in 0..<4 { content[entry + field + index] = content[other + field + index] }
    case 3: for index in 0..<4 { content.swapAt(entry + 4 + index, entry + 8 + index) }
    default: overwrite(&content, at: 2 + 16 * entries.count + below(content.count - 2 - 16 * entries.count))
    }
  }

  /// Operations that fit nearly everywhere, or nowhere.
  private static let entries: [[UInt8]] = [
    [5], [6], [7], [8, 0], [8, 1], [8, 2, 0, 0, 0x80, 0x7F], [8, 2, 0, 0, 0, 0xC0], [3, 1, 1, 1, 1],
    [3, 2, 2, 2, 2], [3, 17, 17, 1, 1], [4, 1, 1, 2, 2], [4, 2, 1, 255, 1], [3, 1, 2, 1, 3], [9, 1, 0, 1, 0],
    [9, 2, 0, 3, 0], [1, 0, 1, 0, 1, 1, 1, 1, 255, 255, 255, 255, 1, 0, 0, 0, 255, 255],
    [2, 0x81, 0x81, 0x80, 0x80, 0x3B, 0, 0, 0x80, 0x3D, 2, 0, 0, 0, 0, 0, 255, 255],
  ]

  /// An operation is added, left out, doubled or changed; the number of operations follows.
  private mutating func changeOperations(_ content: inout [UInt8]) {
    let places = InkParts.operations(content)
    guard !places.isEmpty else { return changeContent(&content) }
    let place = places[below(places.count)]
    var count = places.count
    switch below(7) {
    case 0:
      content.insert(contentsOf: Self.entries[below(Self.entries.count)], at: place.lowerBound)
      count += 1
    case 1:
      content.removeSubrange(place)
      count -= 1
    case 2:
      content.insert(contentsOf: Array(content[place]), at: place.lowerBound)
      count += 1
    case 3: overwrite(&content, at: place.lowerBound + below(place.count))
    default: content[place.lowerBound + below(place.count)] = byte() >> UInt8(below(8))
    }
    content.replaceSubrange(0..<2, with: InkParts.little(UInt32(count)).prefix(2))
  }
}

/// A generator of a few lines (SplitMix64), so that the fuzzer needs no module for it.
struct SmallRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
