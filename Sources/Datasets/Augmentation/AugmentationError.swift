import PlainText

/// An augmentation that cannot be used: which word of it, what was expected and what was found.
public struct AugmentationError: Error, Hashable, Sendable {
  /// The word or item of the text at fault, or the name of the setting.
  public var word: String
  public var expected: String
  public var found: String
  /// The known word nearest to an unknown one, if any is near.
  public var nearest: String?

  public init(word: String, expected: String, found: String, nearest: String? = nil) {
    self.word = word
    self.expected = expected
    self.found = found
    self.nearest = nearest
  }
}

extension AugmentationError: CustomStringConvertible {
  public var description: String {
    let advice = nearest.map { "; did you mean \($0)?" } ?? ""
    return "augmentation \(word.quoted): expected \(expected), found \(found)\(advice)"
  }
}
