import Foundation
@_exported import Inference

/// An `.ink` file that cannot be used, in one line.
public struct NetworkFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The file is not there or may not be read.
    case missing
    /// The content is no network.
    case malformed
  }

  public let kind: Kind
  public let description: String
}

extension Network {
  /// Reads a network from an `.ink` file.
  ///
  /// ```swift
  /// let network = try Network(contentsOf: URL(fileURLWithPath: "digits.ink"))
  /// let prediction = try network.predict(pixels)
  /// print(prediction.label, prediction.probability)
  /// ```
  ///
  /// Throws a `NetworkFileError` if it cannot be read or is none.
  public init(contentsOf url: URL) throws(NetworkFileError) {
    guard let content = Self.read(url.path) else {
      throw NetworkFileError(
        kind: .missing,
        description: "\(url.relativePath): expected a readable file, found none; check the path")
    }
    do throws(InkError) {
      try self.init(content)
    } catch {
      throw NetworkFileError(
        kind: .malformed, description: "\(url.relativePath) \(error); export the model again")
    }
    prepare()
  }

  /// The bytes of a file, read into their place; nil where there is no readable file.
  private static func read(_ path: String) -> NetworkBytes? {
    var status = stat()
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // Unbuffered: the bytes go to where they stay.
    setvbuf(file, nil, _IONBF, 0)
    return NetworkBytes(capacity: Int(status.st_size)) { fread($0.baseAddress, 1, $0.count, file) }
  }

  /// The names of the classes, by index.
  public var labels: [String] {
    var names: [String] = []
    names.reserveCapacity(classCount)
    forEachLabel { names.append(String(decoding: $0, as: UTF8.self)) }
    return names
  }

  /// Provenance: what the exporter wrote down.
  public var metadata: [(key: String, value: String)] {
    var pairs: [(key: String, value: String)] = []
    forEachMetadata {
      pairs.append((String(decoding: $0, as: UTF8.self), String(decoding: $1, as: UTF8.self)))
    }
    return pairs
  }
}
