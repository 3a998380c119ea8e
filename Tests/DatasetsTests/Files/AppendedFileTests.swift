import Testing

@testable import Datasets

@Suite struct AppendedFileTests {
  @Test func eachPieceIsThereAtOnce() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a"
    let file = try AppendedFile(path: path)
    try file.append([1, 2])
    #expect(try bytes(atPath: path) == [1, 2])
    try file.append([])
    try file.append([3])
    try file.synchronize()
    #expect(try bytes(atPath: path) == [1, 2, 3])
  }

  @Test func isCutBackToItsFirstBytes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("a", [1, 2, 3])
    try AppendedFile.cutBack(path, to: 2)
    #expect(try bytes(atPath: path) == [1, 2])
    let missing = fileError { () throws(FileError) in try AppendedFile.cutBack("\(folder.path)/b", to: 0) }
    #expect(missing?.kind == .unwritable)
  }

  @Test func leavesAFileThatIsThereAlone() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("a", [1])
    let error = fileError { () throws(FileError) in try AppendedFile(path: path) }
    #expect(error?.kind == .unwritable && error?.found == "file exists")
    #expect(try bytes(atPath: path) == [1])
    let lost = fileError { () throws(FileError) in try AppendedFile(path: "\(folder.path)/none/a") }
    #expect(lost?.remedy == "create its folder first")
  }
}
