import Testing

@testable import Datasets

@Suite struct IDXTests {
  @Test func valuesOfEachTypeAreBigEndian() {
    #expect(IDX.labels([0, 255]).value(at: 1) == 255)
    #expect(IDX(.int8, [2], [Int8(-128), 127]).value(at: 0) == -128)
    #expect(IDX(.int16, [2], [Int16(-2), 300]).value(at: 0) == -2)
    #expect(IDX(.int16, [2], [Int16(-2), 300]).value(at: 1) == 300)
    #expect(IDX(.int32, [1], [Int32(-70_000)]).value(at: 0) == -70_000)
    #expect(IDX(.float32, [1], [Float(0.1).bitPattern]).value(at: 0) == Double(Float(0.1)))
    #expect(IDX(.float64, [2], [0.0, 0.1].map(\.bitPattern)).value(at: 1) == 0.1)
  }

  @Test func theHeaderHasFourBytesForEachDimension() {
    let array = IDX(.int32, [1, 2, 3], [Int32](0..<6))
    #expect(array.count == 6)
    #expect(array.headerByteCount == 16)
    #expect(array.byteOffset(of: 5) == 36)
  }
}
