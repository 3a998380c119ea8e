import DigitsModelBytes

/// The network that comes with Inkling: digits as people draw and write them.
public enum DigitsModel {
  /// The bytes of its `.ink` file, `Data/models/digits.ink`.
  public static var bytes: [UInt8] {
    var count = 0
    let start = inkling_digits_model(&count)
    return [UInt8](UnsafeBufferPointer(start: start, count: count))
  }
}
