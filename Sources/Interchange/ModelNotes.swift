/// What a file for another system says of a model beside its network.
public struct ModelNotes: Sendable {
  public var author: String
  public var license: String
  /// What the model is, in a sentence or two.
  public var summary: String
  /// Further facts by name, such as the accuracy and the layers.
  public var facts: [(name: String, value: String)]

  public init(
    author: String = "", license: String = "", summary: String = "",
    facts: [(name: String, value: String)] = []
  ) {
    self.author = author
    self.license = license
    self.summary = summary
    self.facts = facts
  }
}
