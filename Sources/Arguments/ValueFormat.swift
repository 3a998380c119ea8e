/// How the text after an option becomes a value, and how a value is printed.
///
/// Options of whole numbers, numbers, text and enums bring their own; write one for anything else:
///
/// ```swift
/// let size = ValueFormat<Int>(expected: "a size such as 28x28") { text in … } text: { "\($0)x\($0)" }
/// ```
public struct ValueFormat<Value: Sendable>: Sendable {
  /// Completes "expected …" in an error, such as "a whole number from 1 to 10".
  public let expected: String
  /// What the help lists as possible, where that is a short list.
  let choices: [String]
  /// The value, or nil where the text is not one.
  let read: @Sendable (String) -> Value?
  /// The value as a user would type it.
  let text: @Sendable (Value) -> String

  public init(
    expected: String, choices: [String] = [],
    read: @escaping @Sendable (String) -> Value?,
    text: @escaping @Sendable (Value) -> String
  ) {
    self.expected = expected
    self.choices = choices
    self.read = read
    self.text = text
  }
}

extension ValueFormat where Value == String {
  /// Any text but the empty one, which is nearly always an unset shell variable.
  static func text(_ placeholder: String) -> Self {
    Self(expected: placeholder, read: { $0.isEmpty ? nil : $0 }, text: { $0 })
  }
}

extension ValueFormat where Value: FixedWidthInteger {
  /// Decimal digits with an optional sign: no separators, spaces, exponents or other bases.
  static func wholeNumber(in range: ClosedRange<Value>) -> Self {
    Self(
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      read: { text in Value(text).flatMap { range.contains($0) ? $0 : nil } },
      text: { "\($0)" })
  }
}

extension ValueFormat where Value: BinaryFloatingPoint & LosslessStringConvertible {
  /// A finite decimal number, with an exponent if need be; no hexadecimal, `inf` or `nan`.
  static func number(in bounds: some NumberBounds<Value> & Sendable) -> Self {
    Self(
      expected: "a number \(bounds.phrase)",
      read: { text in
        guard text.utf8.allSatisfy(isDecimalByte), let value = Value(text) else { return nil }
        return value.isFinite && bounds.contains(value) ? value : nil
      },
      text: { numberText($0) })
  }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// The raw value of one of the cases, spelt exactly.
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    return Self(
      expected: "one of \(names.joined(separator: ", "))", choices: names,
      read: { Value(rawValue: $0) }, text: { $0.rawValue })
  }
}

extension ValueFormat {
  /// Values of another format with commas between, at least one.
  static func list<Element>(of element: ValueFormat<Element>) -> Self where Value == [Element] {
    Self(
      expected: "\(element.expected), or several with commas between", choices: element.choices,
      read: { text in
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map {
          element.read(String($0))
        }
        return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
      },
      text: { $0.map(element.text).joined(separator: ",") })
  }
}

private func isDecimalByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): true
  case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
  default: false
  }
}
