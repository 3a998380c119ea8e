import Foundation
import Testing

@testable import Datasets

@Suite struct AtomicFolderTests {
  let place: TemporaryFolder

  init() throws { place = try TemporaryFolder() }

  private func error(_ path: String) -> FileError? {
    fileError { () throws(FileError) in try AtomicFolder(path: path) }
  }

  @Test func appearsWhenItIsComplete() throws {
    let path = "\(place.path)/a/b/"
    let folder = try AtomicFolder(path: path)
    try AtomicFile.write([1], to: "\(folder.temporaryPath)/file")
    #expect(!FileManager.default.fileExists(atPath: path))
    try folder.commit()
    #expect(try bytes(atPath: "\(path)/file") == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/a") == ["b"])
  }

  @Test func leavesNothingBehindWithoutACommit() throws {
    do {
      let folder = try AtomicFolder(path: "\(place.path)/a")
      try AtomicFile.write([1], to: "\(folder.temporaryPath)/file")
    }
    #expect(try place.names == [])
  }

  @Test func mayTakeThePlaceOfAnEmptyFolder() throws {
    try FileManager.default.createDirectory(atPath: "\(place.path)/real", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.path)/link", withDestinationPath: "real")
    let folder = try AtomicFolder(path: "\(place.path)/link")
    try AtomicFile.write([1], to: "\(folder.temporaryPath)/file")
    try folder.commit()
    #expect(try bytes(atPath: "\(place.path)/real/file") == [1])
    #expect(try place.names == ["link", "real"])
  }

  @Test func isRefusedWhereThereIsSomething() throws {
    let file = try place.file("file", [1])
    #expect(error(file)?.found == "a file")
    #expect(error("\(file)/x")?.kind == .unwritable)
    #expect(error(place.path)?.found == "one with something in it")
    #expect(error(".") != nil)
    #expect(try bytes(atPath: file) == [1])
  }

  @Test func doesNotReplaceWhatCameMeanwhile() throws {
    let folder = try AtomicFolder(path: "\(place.path)/a")
    try FileManager.default.createDirectory(atPath: "\(place.path)/a", withIntermediateDirectories: true)
    try place.file("a/kept", [1])
    let error = fileError { () throws(FileError) in try folder.commit() }
    #expect(error?.kind == .unwritable)
    #expect(try bytes(atPath: "\(place.path)/a/kept") == [1])
  }
}
