import Testing

@testable import Datasets

@Suite struct LabelDecodingTests {
  func labels(_ array: IDX) throws(FileError) -> DecodedLabels { try DecodedLabels(array, path: "x") }

  static let accepted: [IDX] = [
    .labels([7, 2, 9]), IDX(.int8, [3], [Int8(7), 2, 9]), IDX(.int16, [3], [Int16(7), 2, 9]),
    IDX(.int32, [3], [Int32(7), 2, 9]), IDX(.float32, [3], [Float(7), 2, 9].map(\.bitPattern)),
    IDX(.float64, [3], [7.0, 2, 9].map(\.bitPattern)), IDX(.int32, [3, 1], [Int32(7), 2, 9]),
    IDX(.int32, [3, 2], [Int32(7), 0, 2, 255, 9, 1]),
  ]

  @Test(arguments: accepted) func anyNumbersWillDo(array: IDX) throws {
    let decoded = try labels(array)
    #expect(decoded.values == [7, 2, 9])
    let classes = try decoded.classTable(names: nil)
    #expect(classes == ClassTable(values: [2, 7, 9], names: ["2", "7", "9"]))
    #expect(try decoded.classIndices(in: classes) == [1, 0, 2])
  }

  @Test func negativeLabelsAreClassesToo() throws {
    #expect(try labels(IDX(.int16, [2], [Int16(1), -1])).classTable(names: nil).values == [-1, 1])
  }

  static let refused: [(IDX, Int, String)] = [
    (.labels([]), 4, "an empty set (0)"),
    (IDX(.int32, [2, 0], [Int32]()), 4, "an empty set (2×0)"),
    (.images(2), 3, "3 dimensions of 2×3×2"),
    (IDX(.float32, [2], [Float(1), 1.5].map(\.bitPattern)), 12, "1.5 as label 1 (counted from 0)"),
    (IDX(.float64, [2], [1, Double.nan].map(\.bitPattern)), 16, "nan as label 1 (counted from 0)"),
    (IDX(.float64, [1], [1e300].map(\.bitPattern)), 8, "1e+300 as label 0 (counted from 0)"),
  ]

  @Test(arguments: refused) func refusal(array: IDX, offset: Int, found: String) throws {
    let error = try #require(fileError { () throws(FileError) in try labels(array) })
    #expect(error.byteOffset == offset)
    #expect(error.found == found)
  }

  @Test func label255MeansNoLabelUnlessAMappingNamesIt() throws {
    let decoded = try labels(.labels([1, 255, 2]))
    let error = try #require(fileError { () throws(FileError) in try decoded.classTable(names: nil) })
    #expect(error.found == "255, which stands for \"no label\", as label 1 (counted from 0)")
    #expect(error.byteOffset == 9)

    let table = ClassTable(values: [1, 2, 255])
    let names = ClassNames(assignment: .byValue(table), origin: "m")
    #expect(try decoded.classTable(names: names) == table)
    #expect(try labels(IDX(.int16, [1], [Int16(255)])).classTable(names: nil).values == [255])
  }

  @Test func aLabelOutsideTheGivenClassesIsNamed() throws {
    let decoded = try labels(IDX(.int32, [3, 2], [Int32(0), 0, 1, 0, 9, 0]))
    let classes = ClassTable(values: [0, 1])
    let error = try #require(fileError { () throws(FileError) in try decoded.classIndices(in: classes) })
    #expect(error.expected == "one of 2 classes (0, 1)")
    #expect(error.found == "9 as label 2 (counted from 0)")
    #expect(error.byteOffset == 12 + 4 * 4)
  }

  @Test func thereAreAtMost65535Classes() throws {
    let values = (0..<65_536).map { Int32($0) }
    let most = try labels(IDX(.int32, [65_535], Array(values.dropLast())))
    let table = try most.classTable(names: nil)
    #expect(try most.classIndices(in: table).last == 65_534)
    let more = try labels(IDX(.int32, [65_536], values))
    let error = fileError { () throws(FileError) in try more.classTable(names: nil) }
    #expect(error?.found == "one more as label 65,535 (counted from 0)")
  }
}
