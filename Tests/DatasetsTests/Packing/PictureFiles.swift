import Foundation
import Images
import Ink

@testable import Datasets

extension TemporaryFolder {
  /// Writes a file, with the folders above it.
  @discardableResult
  func deepFile(_ name: String, _ bytes: [UInt8]) throws -> String {
    let parent = ("\(path)/\(name)" as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    return try file(name, bytes)
  }

  /// Writes a PNG of a dark bar on light paper; pictures of different heights differ.
  @discardableResult
  func bar(_ name: String, height: Int = 30) throws -> String {
    var picture = Bitmap(width: 40, height: 50, channels: 1, filledWith: 250)
    picture.draw(Bitmap(width: 5, height: height, channels: 1, filledWith: 10), x: 18, y: 8)
    return try deepFile(name, picture.png())
  }

  @discardableResult
  func text(_ name: String, _ text: String) throws -> String { try deepFile(name, Array(text.utf8)) }

  /// The files and failures of what was written here, without this folder's path.
  func pictures() throws(FileError) -> (files: [String], failures: [String]) {
    let folder = try PictureFolder(path: path)
    func short(_ text: String) -> String { text.replacing(path + "/", with: "") }
    return (
      folder.files.map { "\($0.className ?? "by label"): \(short($0.path))" },
      folder.failures.map { short("\($0)") }
    )
  }
}

/// A result in words.
func words(_ results: [Result<PackedImage, FileError>]) -> [String] {
  results.map { result in
    switch result {
    case .success(let image): image.className
    case .failure(let error): "\(error)"
    }
  }
}
