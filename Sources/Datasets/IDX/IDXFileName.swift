/// The name of an IDX file taken apart: `emnist-digits-train-images-idx3-ubyte.gz` and its relatives.
struct IDXFileName {
  /// What the file holds.
  enum Kind: String {
    case images, labels
  }

  let name: String
  /// The name without `.gz`.
  let stem: String
  let isCompressed: Bool
  /// What stands in front, such as `emnist-digits`; empty for most sets.
  let set: String
  let part: DatasetSource.Part
  let kind: Kind

  /// Takes a name apart: `[set-]train-images-idx3[-ubyte][.gz]` with dashes, dots or underscores between, or
  /// `t10k` or `test` for the test part; nil if it is none.
  init?(_ name: String) {
    let lowercased = name.lowercased()
    isCompressed = lowercased.hasSuffix(".gz")
    stem = String(isCompressed ? lowercased.dropLast(3) : lowercased[...])
    let words = stem.split(omittingEmptySubsequences: false) { "-._".contains($0) }
    guard let idx = words.firstIndex(where: Self.isIDX), idx >= 2, !name.hasPrefix(".") else { return nil }
    guard words.count <= idx + 2, words.last?.allSatisfy({ $0.isLetter || $0.isNumber }) == true else {
      return nil
    }
    switch words[idx - 1] {
    case "images", "image": kind = .images
    case "labels", "label": kind = .labels
    default: return nil
    }
    switch words[idx - 2] {
    case "train", "training": part = .training
    case "t10k", "test", "testing": part = .test
    default: return nil
    }
    self.name = name
    set = words[..<(idx - 2)].joined(separator: "-")
  }

  /// `idx`, or `idx` with a number of dimensions.
  private static func isIDX(_ word: Substring) -> Bool {
    word.hasPrefix("idx") && word.count <= 4 && word.dropFirst(3).allSatisfy(\.isNumber)
  }
}

extension DatasetSource.Part {
  /// The name that MNIST's own files bear, or those of a set whose name stands in front.
  func exampleName(_ kind: IDXFileName.Kind, set: String = "") -> String {
    fileName(kind, rank: kind == .images ? 3 : 1, set: set)
  }

  /// The same for an array of so many dimensions.
  func fileName(_ kind: IDXFileName.Kind, rank: Int, set: String = "") -> String {
    let words = self == .training ? "train" : set.isEmpty ? "t10k" : "test"
    return (set.isEmpty ? "" : "\(set)-") + "\(words)-\(kind.rawValue)-idx\(rank)-ubyte"
  }
}
