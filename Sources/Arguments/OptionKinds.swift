// The kinds of options, each twice: with a default or required, and optional. Numbers always state their range,
// so that no count from the command line reaches an allocation unchecked.

extension Option where Value == String {
  public init(_ name: String, value: String, default: String? = nil, help: String) {
    self.init(name, value: value, default: `default`, format: .text(value), help: help)
  }
}

extension Option where Value == String? {
  public init(_ name: String, value: String, otherwise: String = "none", help: String) {
    self.init(name, value: value, format: .text(value), otherwise: otherwise, help: help)
  }
}

extension Option where Value: FixedWidthInteger {
  public init(
    _ name: String, value: String, default: Value? = nil, in range: ClosedRange<Value>, help: String
  ) {
    self.init(name, value: value, default: `default`, format: .wholeNumber(in: range), help: help)
  }
}

extension Option {
  public init<Whole: FixedWidthInteger>(
    _ name: String, value: String, in range: ClosedRange<Whole>, otherwise: String = "none", help: String
  ) where Value == Whole? {
    self.init(name, value: value, format: .wholeNumber(in: range), otherwise: otherwise, help: help)
  }
}

extension Option where Value: BinaryFloatingPoint & LosslessStringConvertible {
  public init(
    _ name: String, value: String, default: Value? = nil, in bounds: some NumberBounds<Value> & Sendable,
    help: String
  ) {
    self.init(name, value: value, default: `default`, format: .number(in: bounds), help: help)
  }
}

extension Option {
  public init<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ name: String, value: String, in bounds: some NumberBounds<Number> & Sendable,
    otherwise: String = "none", help: String
  ) where Value == Number? {
    self.init(name, value: value, format: .number(in: bounds), otherwise: otherwise, help: help)
  }
}

extension Option where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  public init(_ name: String, value: String, default: Value? = nil, help: String) {
    self.init(name, value: value, default: `default`, format: .choice, help: help)
  }
}

extension Option {
  public init<Choice: CaseIterable & RawRepresentable>(
    _ name: String, value: String, otherwise: String = "none", help: String
  ) where Value == Choice?, Choice.RawValue == String {
    self.init(name, value: value, format: .choice, otherwise: otherwise, help: help)
  }
}

extension Option {
  /// Whole numbers with commas between.
  public init<Whole: FixedWidthInteger>(
    _ name: String, value: String, default: [Whole], eachIn range: ClosedRange<Whole>, help: String
  ) where Value == [Whole] {
    self.init(name, value: value, default: `default`, format: .list(of: .wholeNumber(in: range)), help: help)
  }

  /// Choices with commas between.
  public init<Choice: CaseIterable & RawRepresentable>(
    _ name: String, value: String, default: [Choice], help: String
  ) where Value == [Choice], Choice.RawValue == String {
    self.init(name, value: value, default: `default`, format: .list(of: .choice), help: help)
  }
}

extension Option {
  /// Numbers with commas between.
  public init<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ name: String, value: String, eachIn bounds: some NumberBounds<Number> & Sendable,
    otherwise: String = "none", help: String
  ) where Value == [Number]? {
    self.init(name, value: value, format: .list(of: .number(in: bounds)), otherwise: otherwise, help: help)
  }
}
