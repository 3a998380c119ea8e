/// A network that cannot be written in the format that was asked for.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Something is larger than the format can say; what it is, in words.
  case tooLarge(String)
  /// A weight is larger than what float16 can say.
  case beyondHalfPrecision(Float)

  public var description: String {
    switch self {
    case .tooLarge(let what):
      "\(what) cannot be exported: the .ink format has no room for it; use a smaller network"
    case .beyondHalfPrecision(let weight):
      "expected weights of at most 65,504, where float16 ends, found \(weight); store them as float32"
    }
  }
}
