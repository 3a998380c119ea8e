import Kernels
import Tensors
import Testing
import WideKernels

/// Whole numbers are added up exactly, so every bit must be as in the plain loop.
@Suite struct IntegersTests {
  struct Loops: CustomTestStringConvertible, @unchecked Sendable {
    let set: InklingKernels
    let isWide: Bool
    var testDescription: String { "\(String(cString: set.name))\(isWide ? ", 16 bits" : "")" }

    /// The largest value that may come.
    var limit: Int { isWide ? 255 : Int(set.byteLimit) }
    var valuesPerWord: Int { isWide ? 2 : 4 }
  }

  private static let loops: [Loops] = {
    var count = 0
    guard let sets = inkling_kernels(&count) else { return [] }
    let all = ((0..<count).map { sets[$0] } + [inkling_wide_kernels(), inkling_wide_vnni_kernels()])
      .compactMap { $0?.pointee }
    return all.flatMap { [Loops(set: $0, isWide: true), Loops(set: $0, isWide: false)] }
      .filter { $0.limit > 0 }
  }()

  /// How large weights are: with small ones sums stay within 16 bits, with the largest they do not.
  static let weightLimits = [7, 60, 127]

  private struct Shape {
    var filters: Int
    var height: Int
    var width: Int
    var words: Int
    var isPooled = false
    var isStored = true
    var isSingle = false
  }

  @Test(arguments: loops, weightLimits) func agreesWithThePlainLoop(loops: Loops, weightLimit: Int) {
    for filters in [1, 3, 6, 8, 16, 17, 33, 70] {
      for (height, width) in [(1, 1), (2, 3), (1, 4), (3, 5), (2, 9)] {
        for words in [1, 3, 8, 13] {
          for isPooled in [false, true] {
            check(
              loops, weightLimit,
              Shape(filters: filters, height: height, width: width, words: words, isPooled: isPooled))
          }
        }
      }
      check(loops, weightLimit, Shape(filters: filters, height: 2, width: 5, words: 4, isStored: false))
    }
    for filters in [1, 10, 84, 120, 300] {
      for isStored in [false, true] {
        check(
          loops, weightLimit,
          Shape(filters: filters, height: 1, width: 1, words: 50, isStored: isStored, isSingle: true))
      }
    }
  }

  private func check(_ loops: Loops, _ weightLimit: Int, _ shape: Shape) {
    var random = RandomStream(seed: UInt64(shape.filters * shape.words), stream: .initialization)
    let (size, lanes) = (loops.isWide ? 2 : 1, Int(loops.set.lanes))
    // Windows overlap, and words lie in no order, some at the same place.
    let offsets = (0..<shape.words).map { Int32($0 * 37 % 53 * size) }
    let apart = shape.isPooled ? 2 : 1
    let (across, down) = (3 * size, 64 * size)
    let last = ((shape.height * apart - 1) * down + (shape.width * apart - 1) * across) / size
    let count = last + Int(offsets.max() ?? 0) / size + loops.valuesPerWord
    // Both ends of the range often.
    let values = (0..<count).map { _ in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: 0
      case 1: loops.limit
      default: Int.random(in: 0...loops.limit, using: &random)
      }
    }
    let bytes: [UInt8] = values.flatMap { (value: Int) -> [UInt8] in
      loops.isWide ? [UInt8(value), 0] : [UInt8(value)]
    }
    let row = shape.words * loops.valuesPerWord
    let weights = (0..<shape.filters * row).map { _ in
      Int8(
        Bool.random(using: &random)
          ? weightLimit : Int.random(in: -weightLimit...weightLimit, using: &random))
    }
    let vectors = (shape.filters + lanes - 1) / lanes
    let factors: [Float] = (0..<vectors * lanes).map { _ in Float.random(in: 0...1e-3, using: &random) }
    let shifts: [Float] = (0..<vectors * lanes).map { (index: Int) -> Float in
      index % 11 == 10 ? .nan : Float(index % 9) * 20 - 60
    }

    let packed = FencedMemory<Int8>(count: 4 * shape.words * vectors * lanes)
    let tables = FencedMemory<Int32>(count: vectors * (shape.words + 1))
    let (matrix, places) = (FencedMemory(weights), FencedMemory(offsets))
    var packing = InklingIntegerPacking(
      filters: shape.filters, words: shape.words, isWide: loops.isWide ? 1 : 0,
      isSingle: shape.isSingle ? 1 : 0, matrix: matrix.start, offsets: places.start, tables: tables.start,
      weights: packed.start)
    loops.set.packIntegers(&packing)

    let (input, factorMemory, shiftMemory) = (
      FencedMemory(bytes), FencedMemory(factors), FencedMemory(shifts)
    )
    let outputs = shape.height * shape.width * shape.filters
    let output = FencedMemory<UInt8>(count: shape.isStored ? outputs + 15 : 4 * outputs)
    var job = InklingIntegers(
      filters: shape.filters, height: shape.height, width: shape.width, words: shape.words,
      rowStep: apart * down, columnStep: apart * across, poolAcross: across, poolDown: down,
      isWide: packing.isWide, isSingle: packing.isSingle, isPooled: shape.isPooled ? 1 : 0,
      isStored: shape.isStored ? 1 : 0, in: input.start, tables: tables.start, weights: packed.start,
      factors: factorMemory.start, shifts: shiftMemory.start, out: output.start)
    loops.set.integers(&job)

    func sum(_ filter: Int, _ y: Int, _ x: Int) -> Int32 {
      var sum: Int32 = 0
      for word in 0..<shape.words {
        let start = (y * down + x * across + Int(offsets[word])) / size
        for i in 0..<loops.valuesPerWord {
          sum += Int32(values[start + i]) * Int32(weights[filter * row + word * loops.valuesPerWord + i])
        }
      }
      return sum
    }
    var expected: [UInt8] = []
    for y in 0..<shape.height {
      for x in 0..<shape.width {
        for filter in 0..<shape.filters {
          let (y, x) = (y * apart, x * apart)
          let sums =
            shape.isPooled
            ? [sum(filter, y, x), sum(filter, y, x + 1), sum(filter, y + 1, x), sum(filter, y + 1, x + 1)]
            : [sum(filter, y, x)]
          let sum = Float(sums.reduce(sums[0], max))
          let value: Float = sum * factors[filter] + shifts[filter]
          if shape.isStored {
            expected.append(value > 0 ? UInt8(min(127, value.rounded(.toNearestOrEven))) : 0)
          } else {
            expected += (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
          }
        }
      }
    }
    #expect(Array(output.values.prefix(expected.count)) == expected, "\(shape)")
    #expect(output.isIntact && packed.isIntact && tables.isIntact)
  }
}
