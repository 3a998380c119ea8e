import Testing

@testable import Datasets

@Suite struct ClassNamesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func names(file text: String) throws -> ClassNames {
    try ClassNames(contentsOf: folder.file("labels.txt", Array(text.utf8)))
  }

  func problem(file text: String) throws -> FileError? {
    let path = try folder.file("labels.txt", Array(text.utf8))
    return fileError { () throws(FileError) in try ClassNames(contentsOf: path) }
  }

  @Test func aListNamesClassesByRank() throws {
    let names = try ClassNames(argument: "cat, dog,übel")
    let table = try names.table(of: [3, 7, 9], labelsPath: "y")
    #expect(table == ClassTable(values: [3, 7, 9], names: ["cat", "dog", "übel"]))
  }

  @Test(arguments: ["cat\ndog", "cat\r\ndog\r\n", "\u{FEFF}cat\n dog \n\n\n"])
  func aFileNamesClassesByRank(text: String) throws {
    #expect(try names(file: text).assignment == .byRank(["cat", "dog"]))
  }

  @Test func digitsAloneAreNames() throws {
    #expect(try names(file: "3\n1\n").assignment == .byRank(["3", "1"]))
  }

  @Test func aMappingNamesClassesByValue() throws {
    let names = try names(file: "10 65 97\n1 49\n3 12354\n")
    #expect(names.assignment == .byValue(ClassTable(values: [1, 3, 10], names: ["1", "あ", "A"])))
  }

  static let broken: [(String, Int?, String)] = [
    ("", nil, "0"),
    ("cat\ncat\n", 4, "\"cat\" a second time"),
    ("cat\n\ndog\n", 4, "an empty name (number 2)"),
    ("0 48\n1 x\n", 5, "\"1 x\""),
    ("0 48\n1\n", 5, "\"1\""),
    ("0 48\n0 49\n", 5, "label 0 a second time"),
    ("0 48\n1 48\n", 5, "\"0\" a second time"),
    ("0 48\n1 55296\n", 5, "55296, which is no code point"),
    ("0 48\n1 -1\n", 5, "-1, which is no code point"),
    ("cat\nd\0g\n", 4, "bytes that are no UTF-8 text"),
  ]

  @Test(arguments: broken) func brokenFiles(text: String, offset: Int?, found: String) throws {
    let error = try #require(try problem(file: text))
    #expect(error.byteOffset == offset)
    #expect(error.found == found)
  }

  @Test func aBrokenListIsQuoted() throws {
    let error = fileError { () throws(FileError) in try ClassNames(argument: "a,,b") }
    #expect(error?.path == "the class names \"a,,b\"")
    #expect(error?.found == "an empty name (number 2)")
    #expect(fileError { () throws(FileError) in try ClassNames(argument: "no/such/file") }?.kind == .missing)
  }

  @Test func theNumberOfNamesMustBeThatOfTheClasses() throws {
    let names = try ClassNames(list: "a,b")
    let error = try #require(
      fileError { () throws(FileError) in try names.table(of: [0, 1, 5], labelsPath: "y") })
    #expect(error.expected == "3 names, one for each class in y (0, 1, 5)")
    #expect(error.found == "2")
  }
}
