import Testing

@testable import Datasets

@Suite struct PackedClassesTests {
  @Test(
    arguments: [
      // Numbers that a byte holds are label values, whichever are there.
      (["7", "1", "10"], [1, 7, 10], ["1", "7", "10"], true),
      (["0", "254"], [0, 254], ["0", "254"], true),
      // Other numbers stand in their order.
      (["10", "9", "255"], [0, 1, 2], ["9", "10", "255"], false),
      (["-1.5", "1e1", "02"], [0, 1, 2], ["-1.5", "02", "1e1"], false),
      (["1", "01"], [0, 1], ["01", "1"], false),
      (["b", "a", "10", "9"], [0, 1, 2, 3], ["10", "9", "a", "b"], false),
      (["nan", "1"], [0, 1], ["1", "nan"], false),
    ] as [(Set<String>, [Int], [String], Bool)])
  func areInOrder(names: Set<String>, values: [Int], ordered: [String], isNamedByValues: Bool) throws {
    let table = try ClassTable(names: names, origin: "here")
    #expect(table.values == values && table.names == ordered)
    #expect(table.isNamedByValues == isNamedByValues)
  }

  @Test func areAsManyAsLabelsCanTellApart() throws {
    #expect(try ClassTable(names: Set((0..<255).map { "c\($0)" }), origin: "here").count == 255)
    let error = fileError { () throws(FileError) in
      try ClassTable(names: Set((0..<300).map { "c\($0)" }), origin: "here")
    }
    #expect(
      error?.description
        == "here: expected at most 255 classes, since labels are bytes, found 300; join some of them, or leave "
        + "some out")
  }
}
