import Foundation
import PlainText

/// The lines of a small UTF-8 text file, trimmed, and where each starts.
struct TextLines {
  /// Enough for 65,535 names of 250 bytes.
  private static let largestByteCount = 1 << 24

  let texts: [String]
  let offsets: [Int]

  /// Reads the lines; those without text at the end of the file are left out.
  init(contentsOf path: String) throws(FileError) {
    let content = try ContentReader(path: path)
    func error(_ found: String, at offset: Int? = nil) -> FileError {
      FileError(
        .malformed, path: path, byteOffset: offset, expected: "a text file with one class name a line",
        found: found, remedy: "name the file with the class names")
    }
    guard content.fileByteCount <= Self.largestByteCount, !content.isCompressed else {
      throw error(content.isCompressed ? "gzip data" : content.fileByteCount.of("byte"))
    }
    let bytes = try content.read(upTo: Self.largestByteCount)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var texts = [String]()
    var offsets = [Int]()
    for line in bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
        throw error("bytes that are no UTF-8 text", at: line.startIndex)
      }
      texts.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
      offsets.append(line.startIndex)
    }
    while texts.last?.isEmpty == true {
      texts.removeLast()
      offsets.removeLast()
    }
    self.texts = texts
    self.offsets = offsets
  }
}
