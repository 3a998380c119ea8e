/// The numbers that an option takes: a range, open or closed, or ``Above``.
///
/// Whole numbers need only closed ranges; of the others some need an end that is left out, such as a
/// learning rate above 0 or a dropout rate below 1.
public protocol NumberBounds<Bound> {
  associatedtype Bound
  func contains(_ value: Bound) -> Bool
  /// Completes "a number …" in an error.
  var phrase: String { get }
}

/// All numbers greater than one that is itself left out.
public struct Above<Bound: BinaryFloatingPoint & LosslessStringConvertible & Sendable>: NumberBounds {
  private let limit: Bound

  public init(_ limit: Bound) {
    self.limit = limit
  }

  public func contains(_ value: Bound) -> Bool { value > limit }
  public var phrase: String { "above \(numberText(limit))" }
}

extension ClosedRange: NumberBounds where Bound: BinaryFloatingPoint & LosslessStringConvertible {
  public var phrase: String { "from \(numberText(lowerBound)) to \(numberText(upperBound))" }
}

extension Range: NumberBounds where Bound: BinaryFloatingPoint & LosslessStringConvertible {
  public var phrase: String { "from \(numberText(lowerBound)) to below \(numberText(upperBound))" }
}

extension PartialRangeFrom: NumberBounds where Bound: BinaryFloatingPoint & LosslessStringConvertible {
  public var phrase: String { "of at least \(numberText(lowerBound))" }
}

/// The shortest text that reads back as the number, and 5 rather than 5.0.
func numberText(_ value: some BinaryFloatingPoint & LosslessStringConvertible) -> String {
  let text = value.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension Above: Sendable where Bound: Sendable {}
