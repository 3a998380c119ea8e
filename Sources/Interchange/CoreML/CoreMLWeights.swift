import Inference
import Training

/// Numbers of a layer as the file stores them.
struct CoreMLWeights {
  var storage: Storage
  var isUpdatable = false

  enum Storage {
    case float32([Float])
    /// Two bytes a number, the low one first.
    case float16([UInt8])
    /// Whole numbers q from 0 on that stand for `q · scale + offset`, with a scale and an offset a row.
    case linear(bits: Int, bytes: [UInt8], scales: [Float], offsets: [Float])
  }

  init(_ values: [Float]) { storage = .float32(values) }

  init(_ matrix: QuantizedMatrix) {
    switch matrix.type {
    case .float32: storage = .float32(matrix.floats)
    case .float16: storage = .float16(matrix.bytes)
    // The format's numbers have no sign: half of their range is added, and taken off by the offset.
    case .int8:
      storage = .linear(
        bits: 8, bytes: matrix.numbers.map { UInt8(bitPattern: $0) ^ 0x80 }, scales: matrix.scales,
        offsets: matrix.scales.map { -128 * $0 })
    case .int4:
      storage = .linear(
        bits: 4, bytes: Self.packed(matrix.numbers), scales: matrix.scales,
        offsets: matrix.scales.map { -8 * $0 })
    }
  }

  /// Two numbers a byte over all rows, the first in the high half.
  private static func packed(_ numbers: [Int8]) -> [UInt8] {
    func nibble(_ index: Int) -> UInt8 { UInt8(bitPattern: numbers[index] + 8) & 0x0F }
    return stride(from: 0, to: numbers.count, by: 2).map { index in
      nibble(index) << 4 | (index + 1 < numbers.count ? nibble(index + 1) : 0)
    }
  }

  /// What it is called in messages.
  var encoding: String {
    switch storage {
    case .float32: "float32"
    case .float16: "float16"
    case .linear(let bits, _, _, _): "int\(bits)"
    }
  }

  /// Whether it holds `count` numbers and no more, in `rows` rows.
  func holds(_ count: Int, rows: Int) -> Bool {
    switch storage {
    case .float32(let values): values.count == count
    case .float16(let bytes): bytes.count == 2 * count
    case .linear(let bits, let bytes, let scales, let offsets):
      bytes.count == (bits * count + 7) / 8 && scales.count == rows && offsets.count == rows
    }
  }

  /// Whether a bias of float32 may stand beside these weights.
  ///
  /// Beside halves the format only has a bias of halves, but these are too coarse: in a network of seven
  /// layers they changed probabilities by 4e-3, where halves as weights alone change them by 2e-3.
  var takesBias: Bool { if case .float16 = storage { false } else { true } }

  /// How much it holds, in words.
  var size: String {
    switch storage {
    case .float32(let values): "\(values.count)"
    case .float16(let bytes): "\(bytes.count) bytes of float16"
    case .linear(let bits, let bytes, let scales, let offsets):
      "\(bytes.count) bytes of int\(bits) with \(scales.count) scales and \(offsets.count) offsets"
    }
  }

  /// The first version of the format that has such numbers.
  var firstVersion: Int {
    switch storage {
    case .float32: 1
    case .float16: 2
    case .linear: 3
    }
  }
}
