/// The scratch memory of the C code: two stretches that take turns, and the sums of one plane, each as long as some
/// layer needs it.
struct CMemory {
  /// Where the activations lie.
  enum Place: String {
    /// The image as it was handed over, which is not written to.
    case pixels, first, second
  }

  private(set) var current = Place.pixels
  /// In values of 4 bytes each.
  private var firstCount = 0
  private var secondCount = 0
  private var sumCount = 0

  /// Takes `count` values (floats or bytes) of memory for what comes next; the current ones stay.
  mutating func advance(_ count: Int, isBytes: Bool) {
    let words = isBytes ? (count + 3) / 4 : count
    if current == .first {
      current = .second
      secondCount = max(secondCount, words)
    } else {
      current = .first
      firstCount = max(firstCount, words)
    }
  }

  /// Takes memory for the sums of a plane.
  mutating func needSums(_ count: Int) { sumCount = max(sumCount, count) }

  /// The C expression for the current values.
  func values(isBytes: Bool) -> String {
    isBytes && current != .pixels ? "(uint8_t *)\(current)" : "\(current)"
  }

  var byteCount: Int { 4 * (firstCount + secondCount + sumCount) }

  private var stretches: [(type: String, name: String, count: Int)] {
    [("float", "first", firstCount), ("float", "second", secondCount), ("int32_t", "sums", sumCount)]
      .filter { $0.2 > 0 }
  }

  /// The members of the C type.
  var members: String {
    stretches.map { "  \($0.type) \($0.name)[\($0.count)];" }.joined(separator: "\n")
  }

  /// Definitions of pointers to them.
  var pointers: String {
    stretches.map { "  \($0.type) *const \($0.name) = scratch->\($0.name);" }.joined(separator: "\n")
  }
}
