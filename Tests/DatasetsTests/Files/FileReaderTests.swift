import Foundation
import Testing

@testable import Datasets

@Suite struct FileReaderTests {
  @Test func whatIsNoFileIsAnError() throws {
    let folder = try TemporaryFolder()
    let error = try #require(readingError(folder.path))
    #expect(error.description == "\(folder.path): expected a file, found a directory; name a file in it")
    #expect(readingError("/dev/null")?.found == "a device or a pipe")
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(readingError(pipe)?.found == "a device or a pipe")
  }

  @Test func aMissingFileIsAnErrorThatNamesItsRelative() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("a.gz", [1])
    let error = try #require(readingError("\(folder.path)/a"))
    #expect(error.kind == .missing)
    #expect(error.found == "nothing at this path")
    #expect(error.remedy == "did you mean \(path)?")
    #expect(readingError("\(folder.path)/b")?.remedy == "check the spelling of the path")
  }
}
