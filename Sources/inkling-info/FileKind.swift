import Datasets
import Training

/// A format that this program knows. A new one adds itself to `all`.
struct FileKind: Sendable {
  /// With its article: "a checkpoint".
  let name: String
  /// Whether a file may be of this kind, by its first bytes.
  let recognizes: @Sendable (FileReader) -> Bool
  let describe: @Sendable (String) throws(FileError) -> FileDescription

  static let all: [FileKind] = [.checkpoint, .ink, .weights, .onnx, .idx]

  /// Describes a file by the kind that its content tells, whatever its name.
  ///
  /// Throws a `FileError` if it is of no known kind, or damaged.
  static func describe(_ path: String) throws(FileError) -> FileDescription {
    let reader = try FileReader(path: path)
    if let kind = all.first(where: { $0.recognizes(reader) }) { return try kind.describe(path) }
    throw FileError(
      .malformed, path: path, byteOffset: 0,
      expected: all.dropLast().map(\.name).joined(separator: ", ") + " or \(all[all.count - 1].name)",
      found: try ForeignContent(of: path).name,
      remedy: "name a file that Inkling reads or writes")
  }
}
