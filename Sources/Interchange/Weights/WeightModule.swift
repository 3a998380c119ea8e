/// The arrays of a file that belong to one layer, by what PyTorch calls them.
struct WeightModule: Sendable {
  /// What the arrays of a layer may be called behind the layer's name, and what they are to Inkling.
  enum Part: String, CaseIterable, Sendable {
    // The longer names first: a name is taken to end in the first of them that it ends in.
    case runningMean = "running_mean"
    case runningVariance = "running_var"
    case weight, bias
  }

  /// Such as `features.0`.
  let name: String
  var parts: [Part: WeightFile.NamedArray] = [:]

  var shapes: [Part: [Int]] { parts.mapValues(\.shape) }

  /// Whether these are batch normalisation's arrays, for which weight means scale and bias means shift.
  var isNormalization: Bool { parts[.runningMean] != nil || parts[.runningVariance] != nil }

  /// The module's name and the array's part: `fc1.weight` or `fc1_weight` is the weight of `fc1`.
  static func split(_ name: String) -> (module: String, part: Part)? {
    for part in Part.allCases where name.hasSuffix(part.rawValue) {
      let stem = name.dropLast(part.rawValue.count)
      if stem.isEmpty { return ("", part) }
      if let last = stem.last, "._/".contains(last) { return (String(stem.dropLast()), part) }
    }
    return nil
  }
}

/// A name as stretches of digits and of other characters, so that 2 comes before 10.
struct NaturalName: Comparable {
  private enum Piece: Equatable {
    case number(String)
    case text(Substring)
  }

  private let pieces: [Piece]

  init(_ name: String) {
    var pieces: [Piece] = []
    var rest = name[...]
    while let first = rest.first {
      let isDigit = first.isASCII && first.isNumber
      let piece = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
      pieces.append(isDigit ? .number(String(piece.drop { $0 == "0" })) : .text(piece))
      rest = rest[piece.endIndex...]
    }
    self.pieces = pieces
  }

  static func < (left: Self, right: Self) -> Bool {
    for (a, b) in zip(left.pieces, right.pieces) where a != b {
      switch (a, b) {
      case (.number(let a), .number(let b)): return (a.count, a) < (b.count, b)
      case (.text(let a), .text(let b)): return a < b
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    return left.pieces.count < right.pieces.count
  }

  /// Whether a number decides which of the two comes first: `conv1` and `conv2`, but not `head` and `stem`.
  static func isOrderCertain(_ left: Self, _ right: Self) -> Bool {
    for (a, b) in zip(left.pieces, right.pieces) where a != b {
      if case (.number, .number) = (a, b) { return true }
      return false
    }
    return true
  }
}
