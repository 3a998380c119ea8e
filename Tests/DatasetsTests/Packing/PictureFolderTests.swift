import Foundation
import Testing

@testable import Datasets

@Suite struct PictureFolderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)", withDestinationPath: target)
  }

  @Test func subfoldersAreClassesWithAllThatIsInThem() throws {
    for name in [
      "b/2.png", "b/deep/er/1.jpg", "a cat/ü x.pgm", "a cat/.DS_Store", ".git/x.png", "b/.c/y.png",
    ] {
      try folder.deepFile(name, [0])
    }
    try folder.text("b/strokes.NDJSON", "")
    let pictures = try folder.pictures()
    #expect(
      pictures.files == ["a cat: a cat/ü x.pgm", "b: b/2.png", "b: b/deep/er/1.jpg", "b: b/strokes.NDJSON"])
    #expect(pictures.failures == [])
  }

  @Test func drawingsMaySayThemselvesWhatTheyShow() throws {
    try folder.text("all.jsonl", "")
    #expect(try folder.pictures().files == ["by label: all.jsonl"])
    let file = try PictureFolder(path: "\(folder.path)/all.jsonl")
    #expect(file.files == [.init(path: "\(folder.path)/all.jsonl", className: nil)])
  }

  @Test func aPictureBesideTheClassesIsInNone() throws {
    for name in ["a/1.png", "LICENSE", "lost.JPG"] { try folder.deepFile(name, [0]) }
    let pictures = try folder.pictures()
    #expect(pictures.files == ["a: a/1.png"])
    #expect(
      pictures.failures == [
        "lost.JPG: expected a picture within the subfolder of a class, found one that is in none; move it into one"
      ])
  }

  @Test func aFolderWithoutClassesSaysWhatIsExpected() throws {
    func error() -> FileError? { fileError { () throws(FileError) in try folder.pictures() } }
    #expect(error()?.kind == .malformed && error()?.found == "an empty folder")
    for name in ["1.png", "2.png", ".DS_Store"] { try folder.deepFile(name, [0]) }
    let flat = try #require(error())
    #expect(flat.expected == "one subfolder a class, with the pictures of that class in it")
    #expect(flat.found == "2 files and no subfolder")
    #expect(flat.remedy == "put the pictures into subfolders named after what they show")
  }

  @Test func whatIsNoFolderIsRefused() throws {
    let missing = fileError { () throws(FileError) in try PictureFolder(path: "\(folder.path)/x") }
    #expect(missing?.kind == .missing && missing?.found == "no such file or directory")
    let path = try folder.file("a.png", [0])
    let file = fileError { () throws(FileError) in try PictureFolder(path: path) }
    #expect(file?.kind == .malformed && file?.found == "a file")
  }

  @Test func aClassNeedsPicturesAndAUsableName() throws {
    for name in [" a/1.png", "1 2/1.png", "line\nbreak/1.png", "empty/.keep", "fine/1.png"] {
      try folder.deepFile(name, [0])
    }
    let pictures = try folder.pictures()
    #expect(pictures.files == ["fine: fine/1.png"])
    #expect(pictures.failures.count == 4)
    #expect(pictures.failures.filter { $0.contains("one that a line of labels.txt cannot hold") }.count == 3)
    #expect(
      pictures.failures.contains(
        "empty: expected pictures of the class 'empty', found none; put some there, or remove the folder"))
  }

  @Test func linksAreFollowedButNotInCircles() throws {
    try folder.deepFile("elsewhere/1.png", [0])
    try folder.deepFile("in/a/2.png", [0])
    try link("in/b", to: "../elsewhere")
    try link("in/a/again", to: "..")
    try link("in/a/self", to: ".")
    try link("in/a/gone.png", to: "nowhere")
    let pictures = try PictureFolder(path: "\(folder.path)/in")
    #expect(
      pictures.files.map { $0.path.dropFirst(folder.path.count) } == [
        "/in/a/2.png", "/in/a/again/b/1.png", "/in/a/gone.png", "/in/b/1.png",
      ])
    #expect(
      pictures.failures.map { $0.path.dropFirst(folder.path.count) } == ["/in/a/again/a", "/in/a/self"])
    #expect(pictures.failures.allSatisfy { $0.found == "a link to one that it lies in" })
  }

  @Test func knowsWhatLiesInIt() throws {
    try folder.deepFile("in/a/1.png", [0])
    try link("door", to: "in/a")
    let pictures = try PictureFolder(path: "\(folder.path)/in/")
    for place in ["in", "in/new", "in/a/b/c", "door/new", "in/../in/x"] {
      #expect(pictures.contains("\(folder.path)/\(place)"), "\(place)")
    }
    for place in ["", "inside", "in/../x"] {
      #expect(!pictures.contains("\(folder.path)/\(place)"), "\(place)")
    }
  }
}
