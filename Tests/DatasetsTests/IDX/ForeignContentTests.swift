import Testing

@testable import Datasets

@Suite struct ForeignContentTests {
  static let texts = [
    ("<!DOCTYPE html>\n<html>", "a web page: \"<!DOCTYPE html>\""),
    ("\n\n <html lang=\"en\"><body>", "a web page: \"<html lang=\"en\"><body>\""),
    ("404: Not Found", "a server's message: \"404: Not Found\""),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:20", "a Git LFS pointer, not the data"),
    ("9 -1 -1 -0.5", "text: \"9 -1 -1 -0.5\""),
    ("a\tb\r\nc", "text: \"a b\""),
    ("é" + String(repeating: "x", count: 60), "text: \"é" + String(repeating: "x", count: 39) + "…\""),
  ]

  @Test(arguments: texts) func text(content: String, name: String) {
    #expect(ForeignContent(Array(content.utf8)).name == name)
  }

  @Test func textThatEndsWithinACharacter() {
    let text = "line\n" + String(repeating: "€", count: 500)
    #expect(ForeignContent(Array(text.utf8.prefix(1024))).name == "text: \"line\"")
  }

  static let binaries: [([UInt8], String)] = [
    ([0x50, 0x4B, 3, 4, 0, 0], "a zip archive"),
    ([0x1F, 0x8B, 8, 0], "gzip inside gzip"),
    ([0x93] + Array("NUMPY".utf8), "a NumPy array"),
    ([0xDE, 0xAD, 0xBE, 0xEF, 0x61], "the bytes 0xDE 0xAD 0xBE 0xEF"),
    ([0, 5], "a file of 2 bytes"),
  ]

  @Test(arguments: binaries) func binary(content: [UInt8], name: String) {
    #expect(ForeignContent(content).name == name)
  }
}
