import Inference

/// A matrix as a file stores it.
public struct QuantizedMatrix: Hashable, Sendable {
  public let type: TensorType
  public let rows: Int
  public let columns: Int
  /// The factor of each row's numbers; empty for floats.
  public let scales: [Float]
  /// The values of float types, [rows, columns], as they are after rounding.
  public let floats: [Float]
  /// The numbers of integer types, [rows, columns].
  public let numbers: [Int8]

  /// Rounds a matrix to what `type` can hold.
  ///
  /// Whole numbers have a scale a row, symmetric about 0: the largest weight becomes 127, or 7 for four bits, where the
  /// scale with the least squared error among some smaller ones is taken.
  public init(_ matrix: LoweredNetwork.Matrix, as type: TensorType) {
    self.type = type
    rows = matrix.rows
    columns = matrix.columns
    switch type {
    case .float32: (floats, scales, numbers) = (matrix.values, [], [])
    case .float16: (floats, scales, numbers) = (matrix.values.map { Float(half: $0.halfBits) }, [], [])
    case .int8, .int4:
      let limit: Float = type == .int8 ? 127 : 7
      var (scales, numbers): ([Float], [Int8]) = ([], [])
      for row in 0..<matrix.rows {
        let values = matrix.values[row * matrix.columns..<(row + 1) * matrix.columns]
        let scale = Self.scale(values, limit: limit, tries: type == .int8 ? 1 : 40)
        scales.append(scale)
        numbers += values.map { Int8(Self.rounded($0, scale, limit)) }
      }
      (self.scales, self.numbers, floats) = (scales, numbers, [])
    }
  }

  /// Whole numbers as another file stores them, [rows, columns], with a scale a row.
  ///
  /// - Precondition: the type is one of whole numbers, and its numbers are between minus the largest one and that.
  package init(_ type: TensorType, rows: Int, columns: Int, scales: [Float], numbers: [Int8]) {
    precondition(scales.count == rows && numbers.count == rows * columns)
    (self.type, self.rows, self.columns) = (type, rows, columns)
    (self.scales, self.numbers, floats) = (scales, numbers, [])
  }

  /// The scale with the least squared error among `tries` from the one that spans all values down to half of it.
  private static func scale(_ values: ArraySlice<Float>, limit: Float, tries: Int) -> Float {
    let largest = values.reduce(0) { max($0, $1.magnitude) }
    // A row of zeros has any scale; 1 keeps it from dividing by 0.
    guard largest > 0, largest.isFinite else { return 1 }
    var (best, bestError) = (largest / limit, Float.infinity)
    for step in 0..<tries {
      let scale = largest / limit * (1 - 0.5 * Float(step) / Float(max(1, tries)))
      let error = squaredError(values, scale, limit)
      if error < bestError { (best, bestError) = (scale, error) }
    }
    return max(best, .leastNormalMagnitude)
  }

  /// What is lost by rounding to multiples of `scale`; in vectors, since it is tried for many scales.
  private static func squaredError(_ values: ArraySlice<Float>, _ scale: Float, _ limit: Float) -> Float {
    values.withUnsafeBytes { bytes in
      typealias Vector = SIMD8<Float>
      // Adding and taking away 1.5 · 2^23 rounds to even what is far smaller.
      let (magic, lowest, highest) = (
        Vector(repeating: 12_582_912), Vector(repeating: -limit), Vector(repeating: limit)
      )
      var sums = Vector.zero
      let whole = values.count / 8 * 8
      for index in stride(from: 0, to: whole, by: 8) {
        let vector = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Vector.self)
        var number = vector / scale
        // Not `clamped`, which goes lane by lane.
        number.replace(with: lowest, where: number .< lowest)
        number.replace(with: highest, where: number .> highest)
        number = number + magic - magic
        let rest = vector - number * scale
        sums += rest * rest
      }
      return values.dropFirst(whole).reduce(sums.sum()) { sum, value in
        let rest = value - rounded(value, scale, limit) * scale
        return sum + rest * rest
      }
    }
  }

  private static func rounded(_ value: Float, _ scale: Float, _ limit: Float) -> Float {
    max(-limit, min(limit, (value / scale).rounded(.toNearestOrEven)))
  }

  /// The values that the stored numbers stand for, [rows, columns].
  public var values: [Float] {
    scales.isEmpty
      ? floats : numbers.indices.map { Float(numbers[$0]) * scales[$0 / columns] }
  }

  /// How many bytes the tensor takes in the file.
  public var byteCount: Int { type.byteCount(rows: rows, columns: columns) ?? bytes.count }

  /// The bytes in the file.
  package var bytes: [UInt8] {
    switch type {
    case .float32: floats.map { $0.bitPattern.littleEndian }.withUnsafeBytes { Array($0) }
    case .float16: floats.map { $0.halfBits.littleEndian }.withUnsafeBytes { Array($0) }
    case .int8: scales.flatMap(\.bytes) + numbers.map { UInt8(bitPattern: $0) }
    case .int4:
      scales.flatMap(\.bytes)
        + (0..<rows).flatMap { row in
          stride(from: 0, to: columns, by: 2).map { column in
            let first = UInt8(bitPattern: numbers[row * columns + column]) & 0x0F
            let second =
              column + 1 < columns ? UInt8(bitPattern: numbers[row * columns + column + 1]) & 0x0F : 0
            return first | second << 4
          }
        }
    }
  }
}

extension Float {
  var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: bitPattern >> (8 * UInt32($0))) } }

  /// The bits of the nearest half-precision number, ties to even; beyond 65,504 the largest one.
  package var halfBits: UInt16 {
    let sign = UInt16(bitPattern >> 16 & 0x8000)
    let size = min(magnitude, 65_504)
    if !(size > 0) { return sign }
    // Below 2^-14 halves are multiples of 2^-24; above they have 11 significant bits.
    if size < 0x1p-14 { return sign | UInt16((size * 0x1p24).rounded(.toNearestOrEven)) }
    let bits = size.bitPattern
    // Half of the last bit that is kept, less one where that bit is even: ties then go to even.
    let rounded = bits + 0xFFF + (bits >> 13 & 1)
    return sign | UInt16(rounded >> 13 &- 112 << 10)
  }
}
