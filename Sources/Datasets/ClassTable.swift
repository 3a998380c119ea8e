/// The classes of a data set: the label value that stands in the file, and the name to show.
///
/// Label values need not start at 0 nor be contiguous; a class's index is its rank among the values.
public struct ClassTable: Hashable, Sendable {
  /// The most classes that a table can have.
  public static let largestCount = 65_535

  /// The label values as files hold them, ascending.
  public let values: [Int]
  /// The name of each class, by class index.
  public let names: [String]

  public var count: Int { values.count }

  /// Classes with the given names, or with their values as names.
  ///
  /// - Precondition: the values ascend, there are as many names, and no more than `largestCount`.
  public init(values: [Int], names: [String]? = nil) {
    let names = names ?? values.map(String.init)
    precondition(Self.isValid(values: values, names: names))
    self.values = values
    self.names = names
  }

  private static func isValid(values: [Int], names: [String]) -> Bool {
    names.count == values.count && values.count <= largestCount
      && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
  }
}

extension ClassTable: Codable {
  private enum CodingKeys: CodingKey {
    case values, names
  }

  /// Throws `DecodingError.dataCorrupted` for what `init(values:names:)` would not take.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    values = try container.decode([Int].self, forKey: .values)
    names = try container.decode([String].self, forKey: .names)
    guard Self.isValid(values: values, names: names) else {
      throw DecodingError.dataCorruptedError(
        forKey: .values, in: container, debugDescription: "class values must ascend, one for each name")
    }
  }
}
