import Foundation
import PlainText
import Tensors
import Training

// What a safetensors file of Inkling's says of its network, so that it can be read without further words.

extension WeightFile {
  /// The names of Inkling's own entries in a file's metadata.
  enum MetadataName {
    static let layers = "inkling.layers"
    static let input = "inkling.input"
    static let classes = "inkling.classes"
    static let scaling = "inkling.scaling"
    static let torch = "inkling.torch"
  }

  /// The network that the weights are of; nil where the file does not say it, as only Inkling's own do.
  ///
  /// Throws an `InterchangeError` where it says something that is no network.
  public func architecture() throws(InterchangeError) -> Architecture? {
    guard let layers = metadata[MetadataName.layers], let input = metadata[MetadataName.input] else {
      return nil
    }
    let sides = input.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 3, sides.allSatisfy({ $0 > 0 }) else {
      throw InterchangeError(
        "\(path): expected channels, height and width such as 1x28x28 as \(MetadataName.input), found \(input.quoted)"
      )
    }
    do {
      return try Architecture(
        input: ImageShape(channels: sides[0], height: sides[1], width: sides[2]), parsing: layers)
    } catch {
      throw InterchangeError(
        "\(path): expected layers as \(MetadataName.layers), found some that do not fit: \(error)")
    }
  }

  /// The names of the classes; nil where the file does not say them, as only Inkling's own do.
  public var classNames: [String]? {
    metadata[MetadataName.classes].flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) }
  }
}
