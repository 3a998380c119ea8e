import Foundation

@testable import Datasets

/// A folder for one test's files, gone when the test is.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  @discardableResult
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// Writes an array as IDX and returns its path.
  @discardableResult
  func file(_ name: String, _ array: IDX, gzip: Bool = false) throws -> String {
    try array.write(to: "\(path)/\(name)", gzip: gzip)
    return "\(path)/\(name)"
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

func bytes(atPath path: String) throws -> [UInt8] {
  try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The error that reading the file gives, nil if it reads well.
func readingError(_ path: String) -> FileError? {
  do throws(FileError) {
    _ = try IDX.read(path)
    return nil
  } catch {
    return error
  }
}

/// The error that a call gives, nil if it succeeds.
func fileError<Value>(_ call: () throws(FileError) -> Value) -> FileError? {
  do throws(FileError) {
    _ = try call()
    return nil
  } catch {
    return error
  }
}

extension IDX {
  /// Images of one byte a pixel, counting up.
  static func images(_ count: Int, height: Int = 3, width: Int = 2) -> IDX {
    let pixels = (0..<count * height * width).map { UInt8(truncatingIfNeeded: $0) }
    return IDX(elementType: .uint8, dimensions: [count, height, width], payload: pixels)
  }

  static func labels(_ labels: [UInt8]) -> IDX {
    IDX(elementType: .uint8, dimensions: [labels.count], payload: labels)
  }

  /// An array of big-endian integers.
  init<Element: FixedWidthInteger>(_ type: ElementType, _ dimensions: [Int], _ values: [Element]) {
    let payload = values.flatMap { value in withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) } }
    self.init(elementType: type, dimensions: dimensions, payload: payload)
  }
}
