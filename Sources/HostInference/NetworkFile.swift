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
    let content: Data
    do {
      content = try Data(contentsOf: url)
    } catch {
      throw NetworkFileError(
        kind: .missing, description: "\(url.path): expected a readable file, found none; check the path")
    }
    do throws(InkError) {
      try self.init(content.withUnsafeBytes { NetworkBytes(copying: $0) })
    } catch {
      throw NetworkFileError(
        kind: .malformed, description: "\(url.path) \(error); export the model again")
    }
    prepare()
  }

  /// The names of the classes, by index.
  public var labels: [String] { (0..<classCount).map { String(decoding: labelBytes($0), as: UTF8.self) } }

  /// Provenance: what the exporter wrote down.
  public var metadata: [(key: String, value: String)] {
    var pairs: [(key: String, value: String)] = []
    forEachMetadata {
      pairs.append((String(decoding: $0, as: UTF8.self), String(decoding: $1, as: UTF8.self)))
    }
    return pairs
  }
}
