/// The classes of a data set: the label value that stands in the file, and the name to show.
///
/// Label values need not start at 0 nor be contiguous; a class's index is its rank among the values.
public struct ClassTable: Hashable, Sendable, Codable {
  /// The label values as files hold them, ascending.
  public let values: [Int]
  /// The name of each class, by class index.
  public let names: [String]

  public var count: Int { values.count }

  /// Classes with the given names, or with their values as names.
  public init(values: [Int], names: [String]? = nil) {
    self.values = values
    self.names = names ?? values.map(String.init)
    precondition(self.names.count == values.count)
    precondition(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
  }
}
