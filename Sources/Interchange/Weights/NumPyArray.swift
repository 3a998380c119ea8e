import PlainText

// An .npy file:
//
//   offset  size    content
//   0       6       "\x93NUMPY"
//   6       2       version, 1.0 to 3.0
//   8       2 or 4  n, the length of the header; 2 bytes in version 1
//   …       n       a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//   …       rest    the numbers, row-major unless fortran_order

/// One array of an `.npz` file: what its header says, checked against its size.
struct NumPyArray {
  struct Misfit: Error {
    let expected: String
    let found: String
    var remedy: String?
  }

  let format: NumberFormat
  let shape: [Int]
  /// Whether the first place changes fastest, rather than the last.
  private let isColumnMajor: Bool
  /// Where the numbers begin.
  private let start: Int

  private static let formats: [String: NumberFormat] = [
    "<f2": .float16, "<f4": .float32, "<f8": .float64,
    "|b1": .whole(byteCount: 1), "|i1": .whole(byteCount: 1), "|u1": .whole(byteCount: 1),
    "<i2": .whole(byteCount: 2), "<u2": .whole(byteCount: 2), "<i4": .whole(byteCount: 4),
    "<u4": .whole(byteCount: 4), "<i8": .whole(byteCount: 8), "<u8": .whole(byteCount: 8),
  ]

  init(_ bytes: [UInt8]) throws(Misfit) {
    guard bytes.count >= 12, bytes.starts(with: [0x93] + Array("NUMPY".utf8)), (1...3).contains(bytes[6])
    else {
      throw Misfit(expected: "an .npy array of version 1 to 3", found: "something else")
    }
    let isShort = bytes[6] == 1
    let textStart = isShort ? 10 : 12
    let length =
      Int(bytes[8]) | Int(bytes[9]) << 8 | (isShort ? 0 : Int(bytes[10]) << 16 | Int(bytes[11]) << 24)
    // NumPy itself refuses a header of more than 10,000 characters.
    guard length <= 65_535, textStart + length <= bytes.count else {
      throw Misfit(expected: "a header within the array", found: "one of \(length.groupedDigits) bytes")
    }
    start = textStart + length
    let text = String(decoding: bytes[textStart..<start], as: UTF8.self)
    var words = PythonWords(text)
    guard let header = words.dictionary() else {
      throw Misfit(expected: "a dictionary of descr, fortran_order and shape", found: text.quoted)
    }
    guard let format = Self.formats[header.type] else {
      throw Misfit(
        expected: "<f2, <f4, <f8 or whole numbers", found: header.type.quoted,
        remedy: "save the array as .astype(\"<f4\")")
    }
    let available = bytes.count - start
    guard let size = format.byteCount(of: header.shape), size == available else {
      throw Misfit(
        expected: "the bytes of \(header.type) \(header.shape.shapeText)", found: available.groupedDigits)
    }
    (self.format, shape, isColumnMajor) = (format, header.shape, header.isColumnMajor)
  }

  /// The numbers of the bytes that this was read from, row-major.
  func values(_ bytes: [UInt8]) -> [Float] {
    let values = bytes.withUnsafeBytes {
      format.decoded(UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    guard isColumnMajor, values.count > 1 else { return values }
    // How far apart neighbours along each side lie in the file.
    var steps: [Int] = []
    var step = 1
    for side in shape {
      steps.append(step)
      step *= side
    }
    var place = [Int](repeating: 0, count: shape.count)
    var source = 0
    return values.indices.map { _ in
      defer {
        // Counts on as an odometer does, from the last side.
        for side in shape.indices.reversed() {
          place[side] += 1
          source += steps[side]
          if place[side] < shape[side] { break }
          source -= steps[side] * place[side]
          place[side] = 0
        }
      }
      return values[source]
    }
  }
}

/// The header's dictionary, taken from the front.
private struct PythonWords {
  private let characters: [Character]
  private var at = 0

  init(_ text: String) { characters = Array(text) }

  /// The three members that have to be there, in any order.
  mutating func dictionary() -> (type: String, isColumnMajor: Bool, shape: [Int])? {
    var (type, isColumnMajor, shape): (String?, Bool?, [Int]?)
    guard take("{") else { return nil }
    while !take("}") {
      guard let key = string(), take(":") else { return nil }
      switch key {
      case "descr" where type == nil: type = string()
      case "fortran_order" where isColumnMajor == nil:
        if take("True") { isColumnMajor = true } else if take("False") { isColumnMajor = false }
      case "shape" where shape == nil: shape = tuple()
      default: return nil
      }
      guard take(",") || next == "}" else { return nil }
    }
    guard next == nil, let type, let isColumnMajor, let shape else { return nil }
    return (type, isColumnMajor, shape)
  }

  private mutating func string() -> String? {
    guard let quote = next, quote == "'" || quote == "\"" else { return nil }
    at += 1
    let start = at
    while at < characters.count, characters[at] != quote { at += 1 }
    guard at < characters.count else { return nil }
    at += 1
    return String(characters[start..<at - 1])
  }

  private mutating func tuple() -> [Int]? {
    guard take("(") else { return nil }
    var counts: [Int] = []
    while !take(")") {
      _ = next
      let start = at
      while at < characters.count, characters[at].isASCII, characters[at].isNumber { at += 1 }
      guard let count = Int(String(characters[start..<at])), take(",") || next == ")" else { return nil }
      counts.append(count)
    }
    return counts
  }

  /// The next character that is no space; nil at the end.
  private var next: Character? {
    mutating get {
      while at < characters.count, characters[at].isWhitespace { at += 1 }
      return at < characters.count ? characters[at] : nil
    }
  }

  private mutating func take(_ word: String) -> Bool {
    _ = next
    guard characters[at...].starts(with: word) else { return false }
    at += word.count
    return true
  }
}
