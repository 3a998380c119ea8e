import Datasets
import Foundation
import Tensors

/// Data sets that are learnt in an instant: a label's picture is a line along the top, one down the left
/// side, or a diagonal, by the label modulo 3; faint noise makes no two alike.
extension Workplace {
  /// Writes the IDX files of a data set into a new folder.
  ///
  /// With a `set` name in front, as EMNIST's files have it, the pictures lie on their sides, as EMNIST's do.
  func pictures(
    _ folder: String, training: [UInt8] = cycle(300, of: [0, 1, 2]),
    test: [UInt8] = cycle(60, of: [0, 1, 2]),
    side: Int = 8, set: String? = nil
  ) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    for (part, labels) in [("train", training), (set == nil ? "t10k" : "test", test)] {
      let start = "\(path)/\(folder)/" + (set.map { "\($0)-" } ?? "") + part
      var random = RandomStream(seed: UInt64(labels.count), stream: .pictures)
      let pixels = labels.flatMap { Self.picture($0, side: side, isOnItsSide: set != nil, using: &random) }
      try IDX(elementType: .uint8, dimensions: [labels.count, side, side], payload: pixels)
        .write(to: "\(start)-images-idx3-ubyte")
      try IDX(elementType: .uint8, dimensions: [labels.count], payload: labels)
        .write(to: "\(start)-labels-idx1-ubyte")
    }
  }

  /// `count` labels that take turns.
  static func cycle(_ count: Int, of labels: [UInt8]) -> [UInt8] {
    (0..<count).map { labels[$0 % labels.count] }
  }

  private static func picture(
    _ label: UInt8, side: Int, isOnItsSide: Bool, using random: inout RandomStream
  ) -> [UInt8] {
    (0..<side * side).map { index in
      let (row, column) = isOnItsSide ? (index % side, index / side) : (index / side, index % side)
      let isInk = [row == 1, column == 1, row == column][Int(label) % 3]
      return UInt8.random(in: isInk ? 180...255 : 0...75, using: &random)
    }
  }
}

extension RandomStream.Stream {
  static let pictures = Self(rawValue: 1 << 24)
  static let delays = Self(rawValue: 1 << 24 + 1)
}
