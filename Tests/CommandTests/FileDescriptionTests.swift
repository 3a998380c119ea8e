import Datasets
import Foundation
import PlainText
import Testing

@testable import inkling_info

@Suite struct FileDescriptionTests {
  @Test func factsStandInTheirOrderAndUnderTheirKeys() throws {
    var description = FileDescription(kind: "sample")
    description.add("second", .count(2000), "b", "2,000 things")
    description.add("first", .list([.text("x"), .flag(true), .none]))
    description.addLine("a", "a line")
    description.table = "table"
    #expect(
      description.text(path: "some/\u{1B}file") == "some/ file: sample\n\nb  2,000 things\na  a line\n\ntable"
    )
    #expect(
      try description.json(path: "some/file")
        == #"{"file":"some/file","first":["x",true,null],"kind":"sample","second":2000}"#)
  }

  @Test func jsonHoldsEveryNumber() throws {
    var description = FileDescription(kind: "sample")
    description.add("numbers", .list([.number(.infinity), .number(-.infinity), .number(.nan), .number(0.5)]))
    #expect(try description.json(path: "f").contains(#""numbers":["inf","-inf","nan",0.5]"#))
  }

  @Test func itemsFillFourLinesAtMost() {
    var description = FileDescription(kind: "sample")
    let items = (0..<1_000_000).lazy.map { "item \($0)" }
    description.addLines("validationAccuracy__", items)
    let lines = description.text(path: "f").split(separator: "\n").dropFirst()
    #expect(lines.count == 4 && lines.allSatisfy { String($0).columns <= 80 })
    #expect(lines.first?.hasPrefix("validationAccuracy__  item 0, item 1, ") == true)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("                      item ") })
    #expect(lines.dropLast().allSatisfy { $0.hasSuffix(",") } && lines.last?.hasSuffix(", …") == true)
  }

  @Test func fewItemsAreAllThere() {
    var description = FileDescription(kind: "sample")
    description.addLines("a", ["one", "two"])
    description.addLines("b", [String]())
    #expect(description.text(path: "f") == "f: sample\n\na  one, two")
  }

  @Test func aValueIsNotSaidTwice() {
    #expect(FileDescription.named("3", "3") == "3" && FileDescription.named("3", "Dress") == "3 = Dress")
  }

  /// So that the order of the list decides nothing.
  @Test func eachFileIsOfOneKind() throws {
    let path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString)"
    defer { unlink(path) }
    for (head, expected) in [
      (Array("INKLINGc".utf8), "a checkpoint"), ([0, 0, 8, 1], "an IDX file, raw or gzip"),
      ([0x1F, 0x8B], "an IDX file, raw or gzip"), ([3, 8, 0, 0], "an IDX file, raw or gzip"),
      ([0x89, 0x49, 0x4E, 0x4B], "an .ink file"), (Array("INKLING".utf8), nil), ([], nil),
      ([5, 8, 0, 0], nil),
      ([3, 0xA, 0, 0], nil),
    ] as [([UInt8], String?)] {
      try Data(head).write(to: URL(fileURLWithPath: path))
      let reader = try FileReader(path: path)
      #expect(FileKind.all.filter { $0.recognizes(reader) }.map(\.name) == (expected.map { [$0] } ?? []))
    }
  }
}
