import PlainText

/// The text form: `none`, `standard`, or words and amounts such as `rotate 10, shift 2, zoom 0.1`.
extension Augmentation {
  /// Reads the text form; throws an `AugmentationError` that names the word at fault.
  ///
  /// The words are `rotate`, `shift`, `zoom`, `shear`, `elastic`, `sigma`, `thickness` and `noise`, each at
  /// most once and in any order. A list may begin with `standard`, whose amounts the rest replaces.
  public init(parsing text: String) throws(AugmentationError) {
    self = .none
    var seen: Set<String> = []
    for (position, item) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
      let words = item.split(whereSeparator: \.isWhitespace)
      if position == 0, words == ["none"] { continue }
      if position == 0, words == ["standard"] {
        self = .standard
        continue
      }
      let (effect, value) = try Augmentation.parse(words, of: item)
      guard seen.insert(effect.name).inserted else {
        throw AugmentationError(word: effect.name, expected: "it once", found: "it again")
      }
      self[keyPath: effect.amount] = value
    }
  }

  private static func parse(
    _ words: [Substring], of item: Substring
  ) throws(AugmentationError) -> (AugmentationEffect, Float) {
    let names = AugmentationEffect.all.map(\.name)
    guard let name = words.first else {
      throw AugmentationError(
        word: String(item), expected: "none, standard or one of \(names.joined(separator: ", "))",
        found: "nothing")
    }
    if name == "none" || name == "standard" {
      throw AugmentationError(
        word: String(name), expected: "it alone and as the first item",
        found: String(item).quoted)
    }
    guard let effect = AugmentationEffect.all.first(where: { $0.name == name }) else {
      throw AugmentationError(
        word: String(name), expected: "one of \(names.joined(separator: ", "))",
        found: String(name).quoted,
        nearest: nearest(to: String(name), among: names + ["none", "standard"]))
    }
    guard words.count == 2, let value = Float(words[1]) else {
      throw AugmentationError(
        word: effect.name, expected: effect.expectation,
        found: words.count == 1 ? "nothing" : words[1...].joined(separator: " ").quoted)
    }
    try effect.check(value)
    return (effect, value)
  }
}

extension Augmentation: CustomStringConvertible {
  /// The text form in canonical order; `standard` is spelt out, so that a record stays true if it changes.
  public var description: String {
    let items = AugmentationEffect.all.compactMap { effect in
      let value = self[keyPath: effect.amount]
      return value == effect.unset ? nil : "\(effect.name) \(AugmentationEffect.text(value))"
    }
    return items.isEmpty ? "none" : items.joined(separator: ", ")
  }
}

/// Encoded as its text form, so that decoding checks the ranges as well.
extension Augmentation: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
