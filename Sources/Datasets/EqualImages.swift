import Foundation

/// Which images have the same pixels.
package struct EqualImages {
  /// For each image the first one with its pixels, which may be itself.
  package let firsts: [Int]

  /// Cost: one pass over the pixels, 0.1 s for MNIST's 70,000 images.
  package init(_ images: some Sequence<ArraySlice<UInt8>>) {
    var firstOfPixels: [Pixels: Int] = [:]
    firsts = images.enumerated().map { index, bytes in
      let pixels = Pixels(bytes: bytes)
      if let first = firstOfPixels[pixels] { return first }
      firstOfPixels[pixels] = index
      return index
    }
  }

  /// All images that are not the only ones with their pixels, together with those that have the same.
  package var groups: [[Int]] {
    let others = firsts.indices.filter { firsts[$0] != $0 }
    let groups = Dictionary(grouping: others) { firsts[$0] }
    return groups.sorted { $0.key < $1.key }.map { [$0.key] + $0.value }
  }

  /// An array's own hashing and comparison go element by element.
  private struct Pixels: Hashable {
    let bytes: ArraySlice<UInt8>

    static func == (first: Pixels, second: Pixels) -> Bool {
      first.bytes.withUnsafeBytes { a in
        second.bytes.withUnsafeBytes { b in
          guard let start = a.baseAddress, let other = b.baseAddress else { return a.count == b.count }
          return a.count == b.count && memcmp(start, other, a.count) == 0
        }
      }
    }

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension Dataset {
  /// The pixels of each image.
  package var images: some Sequence<ArraySlice<UInt8>> {
    (0..<count).lazy.map { pixels[$0 * shape.count..<($0 + 1) * shape.count] }
  }
}
