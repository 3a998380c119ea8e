/// What a file that is not IDX most likely is, told from its first bytes, and how to get at the data.
package struct ForeignContent {
  package let name: String
  let remedy: String

  /// Looks at the first bytes of a file. Throws a `FileError` if it cannot be read.
  package init(of path: String) throws(FileError) {
    self.init(try ContentReader(path: path).read(upTo: IDXHeader.largestByteCount))
  }

  init(_ head: [UInt8]) {
    if let format = Self.formats.first(where: { head.starts(with: $0.signature) }) {
      (name, remedy) = (format.name, format.remedy)
    } else if let text = Self.firstLine(of: head) {
      (name, remedy) = Self.describe(text)
    } else {
      let isShort = head.count < 4
      name = isShort ? "a file of \(head.count) bytes" : "the bytes \(hexadecimal(head.prefix(4)))"
      remedy = isShort ? "fetch or write the file again" : "name an IDX file, raw or gzip"
    }
  }

  private static let formats: [(signature: [UInt8], name: String, remedy: String)] = [
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive", "unpack it first"),
    ([0x1F, 0x8B], "gzip inside gzip", "gunzip it once"),
    ([0x42, 0x5A, 0x68], "bzip2 data", "unpack it with bunzip2 first"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data", "unpack it with unxz first"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd data", "unpack it with unzstd first"),
    ([0x1F, 0x9D], "compress (.Z) data", "unpack it with uncompress first"),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive", "unpack it first"),
    ([0x93, 0x4E, 0x55, 0x4D], "a NumPy array", "write it as IDX first"),
    ([0x89, 0x50, 0x4E, 0x47], "a PNG picture", "write the pictures as IDX first"),
    ([0xFF, 0xD8, 0xFF], "a JPEG picture", "write the pictures as IDX first"),
    ([0x89, 0x48, 0x44, 0x46], "an HDF5 file", "write it as IDX first"),
    ([0x50, 0x41, 0x52, 0x31], "a Parquet file", "write it as IDX first"),
  ]

  private static func describe(_ line: String) -> (String, String) {
    let quoted = "\"\(line.prefix(40))\(line.count > 40 ? "…" : "")\""
    let lowercased = line.lowercased()
    if lowercased.hasPrefix("version https://git-lfs") {
      return (
        "a Git LFS pointer, not the data", "fetch the data with git lfs pull, or download the file itself"
      )
    }
    if lowercased.hasPrefix("<!doctype") || lowercased.hasPrefix("<html") || lowercased.hasPrefix("<?xml") {
      return ("a web page: \(quoted)", "the download failed: fetch the file again from its direct address")
    }
    if lowercased.contains("not found") || lowercased.contains("404") || lowercased.contains("denied") {
      return ("a server's message: \(quoted)", "the download failed: fetch the file again")
    }
    return ("text: \(quoted)", "name an IDX file, raw or gzip")
  }

  /// The first line that is not blank, if the bytes are text.
  private static func firstLine(of head: [UInt8]) -> String? {
    // A full head may end within a character: up to three bytes are left off.
    let mostCut = head.count < IDXHeader.largestByteCount ? 0 : 3
    let text = (0...mostCut).lazy.compactMap { String(validating: head.dropLast($0), as: UTF8.self) }.first
    guard let text, !text.isEmpty else { return nil }
    let isText = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || (0x09...0x0D).contains($0.value) }
    guard isText else { return nil }
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return String(start.prefix { !$0.isNewline }.map { $0.isWhitespace ? " " : $0 })
  }
}

/// `0x0A`.
func hexadecimal(_ byte: UInt8) -> String {
  "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}

/// `0x00 0x0A`.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { hexadecimal($0) }.joined(separator: " ")
}
