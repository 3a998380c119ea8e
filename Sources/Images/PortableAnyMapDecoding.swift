extension Bitmap {
  /// Decodes a PBM, PGM or PPM, as text (P1 to P3) or as bytes (P4 to P6).
  init(portableAnyMap bytes: [UInt8]) throws(PictureError) {
    let kind = Int(bytes[1] - UInt8(ascii: "0"))
    let (isBits, channels) = (kind == 1 || kind == 4, kind == 3 || kind == 6 ? 3 : 1)
    var reader = AnyMapReader(bytes: bytes, at: 2)
    let (width, height) = (try reader.number(), try reader.number())
    try PictureError.require(width: width, height: height)
    let most = isBits ? 1 : try reader.number()
    guard (1...65_535).contains(most) else { throw .damaged("PGM or PPM", "a largest value of \(most)") }
    let count = width * height * channels
    // In text a value takes a byte at least.
    let least = kind == 4 ? (width + 7) / 8 * height : count * (kind > 4 && most > 255 ? 2 : 1)
    guard bytes.count - reader.at >= least else { throw .damaged("PGM or PPM", "too few values") }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(count)
    if kind > 3 { reader.at += 1 }
    guard bytes.count - reader.at >= (kind > 3 ? least : 0) else {
      throw .damaged("PGM or PPM", "too few values")
    }
    for index in 0..<count {
      let value: Int
      switch kind {
      case 1: value = try reader.bit()
      case 2, 3: value = try reader.number()
      case 4:
        let byte = bytes[reader.at + index / width * ((width + 7) / 8) + index % width / 8]
        value = Int(byte) >> (7 - index % width % 8) & 1
      default:
        value =
          most > 255
          ? Int(bytes[reader.at + 2 * index]) << 8 | Int(bytes[reader.at + 2 * index + 1])
          : Int(bytes[reader.at + index])
      }
      guard value <= most else { throw .damaged("PGM or PPM", "a value above the largest, \(most)") }
      // In a bitmap 1 is ink.
      pixels.append(UInt8(isBits ? 255 * (1 - value) : (value * 255 + most / 2) / most))
    }
    self.init(width: width, height: height, channels: channels, pixels: pixels)
  }
}

/// Reads numbers as text, with comments from # to the end of a line.
private struct AnyMapReader {
  let bytes: [UInt8]
  var at: Int

  mutating func number() throws(PictureError) -> Int {
    skipSpace()
    var value = 0
    let start = at
    while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]), value < 1_000_000_000
    {
      value = 10 * value + Int(bytes[at] - UInt8(ascii: "0"))
      at += 1
    }
    guard at > start else { throw .damaged("PGM or PPM", "no number at byte \(at)") }
    return value
  }

  mutating func bit() throws(PictureError) -> Int {
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "0") || bytes[at] == UInt8(ascii: "1") else {
      throw .damaged("PBM", "no 0 or 1 at byte \(at)")
    }
    at += 1
    return Int(bytes[at - 1] - UInt8(ascii: "0"))
  }

  private mutating func skipSpace() {
    var isComment = false
    while at < bytes.count, isComment || bytes[at] <= UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "#") {
      if bytes[at] == UInt8(ascii: "#") { isComment = true }
      if bytes[at] == UInt8(ascii: "\n") || bytes[at] == UInt8(ascii: "\r") { isComment = false }
      at += 1
    }
  }
}
