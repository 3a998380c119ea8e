/// A file that cannot be used: which, where, what was expected, what was found and what to do.
///
/// Every reader and writer of the library reports trouble in this one form; it prints as one line.
public struct FileError: Error, Hashable, Sendable {
  /// What kind of trouble, so that a program can choose its exit status.
  public enum Kind: Sendable {
    /// The file is not there or may not be read.
    case missing
    /// The content is not what it should be.
    case malformed
    /// The file cannot be written.
    case unwritable
  }

  public var kind: Kind
  public var path: String
  /// The place in the (uncompressed) content, in bytes from its start.
  public var byteOffset: Int?
  /// The line of a text file, from 1.
  public var line: Int?
  public var expected: String
  public var found: String
  public var remedy: String?

  public init(
    _ kind: Kind, path: String, byteOffset: Int? = nil, line: Int? = nil, expected: String, found: String,
    remedy: String? = nil
  ) {
    self.kind = kind
    self.path = path
    self.byteOffset = byteOffset
    self.line = line
    self.expected = expected
    self.found = found
    self.remedy = remedy
  }
}

extension FileError: CustomStringConvertible {
  public var description: String {
    let place = byteOffset.map { " at byte \($0)" } ?? line.map { " in line \($0)" } ?? ""
    let advice = remedy.map { "; \($0)" } ?? ""
    return "\(path)\(place): expected \(expected), found \(found)\(advice)"
  }
}
