/// How a camera was held, as EXIF numbers it: which side of the picture is up.
enum Orientation: Int {
  case upright = 1
  case mirrored
  case halfTurned
  case flipped
  case transposed
  case turnedLeft
  case transversed
  case turnedRight

  /// The EXIF orientation in a JPEG file; nil if there is none or the EXIF is not sound.
  init?(jpeg bytes: [UInt8]) {
    // Segments: 0xFF, kind, length of two bytes that counts itself, content.
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 1] != 0xDA {
      // Any number of 0xFF may fill the place before a segment.
      if bytes[at + 1] == 0xFF {
        at += 1
        continue
      }
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { return nil }
      let content = bytes[at + 4..<at + 2 + length]
      if bytes[at + 1] == 0xE1, content.starts(with: "Exif\0\0".utf8) {
        self.init(tiff: Array(content.dropFirst(6)))
        return
      }
      at += 2 + length
    }
    return nil
  }

  /// The tag 0x112 in the first directory of a TIFF header.
  private init?(tiff bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    let isLittle = bytes.starts(with: "II".utf8)
    guard isLittle || bytes.starts(with: "MM".utf8) else { return nil }
    func number(_ at: Int, _ count: Int) -> Int? {
      guard at >= 0, at + count <= bytes.count else { return nil }
      let part = bytes[at..<at + count]
      return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else {
      return nil
    }
    for entry in 0..<count {
      let start = directory + 2 + 12 * entry
      guard let tag = number(start, 2) else { return nil }
      // A short number lies at the start of the value's four bytes.
      if tag == 0x112 {
        guard number(start + 2, 2) == 3, let value = number(start + 8, 2) else { return nil }
        self.init(rawValue: value)
        return
      }
    }
    return nil
  }

  /// Whether rows become columns.
  var swapsSides: Bool { rawValue >= 5 }
}

extension Bitmap {
  /// The picture as it was seen.
  func turned(_ orientation: Orientation) -> Bitmap {
    if orientation == .upright { return self }
    let (width, height) = orientation.swapsSides ? (self.height, self.width) : (self.width, self.height)
    var result = Bitmap(width: width, height: height, channels: channels)
    let (lastX, lastY) = (self.width - 1, self.height - 1)
    for y in 0..<height {
      for x in 0..<width {
        let (column, row) =
          switch orientation {
          case .upright: (x, y)
          case .mirrored: (lastX - x, y)
          case .halfTurned: (lastX - x, lastY - y)
          case .flipped: (x, lastY - y)
          case .transposed: (y, x)
          case .turnedLeft: (y, lastY - x)
          case .transversed: (lastX - y, lastY - x)
          case .turnedRight: (lastX - y, x)
          }
        let (from, to) = ((row * self.width + column) * channels, (y * width + x) * channels)
        for channel in 0..<channels { result.pixels[to + channel] = pixels[from + channel] }
      }
    }
    return result
  }
}
