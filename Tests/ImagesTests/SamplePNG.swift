/// PNG files of any kind, stored rather than compressed, so that no encoder stands between a test and the bits.
struct SamplePNG {
  var width = 13
  var height = 11
  /// 0 grey, 2 RGB, 3 palette, 4 grey and opacity, 6 RGB and opacity.
  var colorType: UInt8
  var depth: Int
  var isInterlaced = false
  /// RGB of each colour of a palette.
  var palette: [UInt8] = []
  /// What the tRNS chunk holds, if there is one.
  var transparency: [UInt8] = []

  /// Values a pixel in the file.
  var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

  /// [height, width, channels], each below 1 << depth; no two rows alike.
  var values: [Int] {
    var state: UInt32 = 7
    return (0..<width * height * channels).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 16) % (1 << depth)
    }
  }

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header =
      Self.word(width) + Self.word(height) + [UInt8(depth), colorType, 0, 0, isInterlaced ? 1 : 0]
    file += Self.chunk("IHDR", header)
    if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
    if !transparency.isEmpty { file += Self.chunk("tRNS", transparency) }
    return file + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
  }

  /// The rows as they are compressed: a filter of none, then the values, each pass of Adam7 by itself.
  private var rows: [UInt8] {
    // First column and row, steps.
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var result: [UInt8] = []
    for (left, top, across, down) in passes where left < width {
      for y in stride(from: top, to: height, by: down) {
        var bits: [UInt8] = []
        for x in stride(from: left, to: width, by: across) {
          for value in values[(y * width + x) * channels..<(y * width + x + 1) * channels] {
            for bit in (0..<depth).reversed() { bits.append(UInt8(value >> bit & 1)) }
          }
        }
        bits += [UInt8](repeating: 0, count: (8 - bits.count % 8) % 8)
        result.append(0)
        for start in stride(from: 0, to: bits.count, by: 8) {
          result.append(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
      }
    }
    return result
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var checksum: UInt32 = ~0
    for byte in body {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
    }
    return word(content.count) + body + word(Int(~checksum))
  }

  /// A zlib stream of one stored block.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count < 65_536)
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let count = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)]
    return [0x78, 0x01, 0x01] + count + count.map { ~$0 } + bytes + word(b << 16 | a)
  }

  private static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
