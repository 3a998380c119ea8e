import Testing

@testable import Datasets

@Suite struct AtomicFileTests {
  @Test func nothingAppearsBeforeTheCommit() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("a", [1])
    do {
      let file = try AtomicFile(path: path)
      try file.write([2, 3])
      #expect(try bytes(atPath: path) == [1])
    }
    #expect(try bytes(atPath: path) == [1])
    #expect(try folder.names == ["a"])
  }

  @Test func theCommitReplacesTheFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("a", [1])
    let file = try AtomicFile(path: path)
    try file.write([2, 3])
    try file.write([4])
    try file.commit()
    #expect(try bytes(atPath: path) == [2, 3, 4])
    #expect(try folder.names == ["a"])
  }

  @Test func placesThatTakeNoFileAreErrors() throws {
    let folder = try TemporaryFolder()
    func problem(_ path: String) -> FileError? {
      fileError { () throws(FileError) in try AtomicFile(path: path) }
    }
    #expect(problem(folder.path)?.found == "a directory")
    #expect(problem("/dev/null")?.found == "a device or a pipe")
    #expect(problem("\(folder.path)/none/a")?.remedy == "create its folder first")
    #expect(problem("\(folder.path)/none/a")?.kind == .unwritable)
  }

  @Test(arguments: [
    ("last.ckpt.123-4567.tmp", true), ("last.ckpt.tmp", false), ("notes.tmp", false),
    ("last.ckpt.1-x.tmp", false),
    ("best.ckpt.1-2.tmp", false), ("last.ckpt.1-2", false),
  ])
  func onlyItsOwnLeftoversAreKnown(name: String, expected: Bool) {
    #expect(AtomicFile.isLeftover(name, of: "last.ckpt") == expected)
  }
}
