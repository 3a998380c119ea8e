import Foundation
import Ink

/// A drawing from a file, with what the file says about it.
public struct FiledDrawing: Hashable, Sendable {
  public var drawing: Drawing
  /// What the drawing shows, if the file says so.
  public var label: String?

  public init(_ drawing: Drawing, label: String? = nil) {
    self.drawing = drawing
    self.label = label
  }
}

/// Reads and writes drawings as JSON: one object, a list of them, or one a line.
///
/// These are known:
///
/// - our own: `{"format": "inkling-drawing", "version": 1, "strokes": [{"width": 6, "points": [[x, y, pressure, ms], …]}, …]}`,
///   of which pressure, milliseconds and width may be left out;
/// - Quick Draw's: `{"word": "angel", "drawing": [[[x, …], [y, …]], …]}`, with times as a third list or without;
/// - plain lists: `{"label": 7, "strokes": [[[x, y], …], …]}`.
public enum DrawingFile {
  /// The drawings of a file. Throws a `DrawingFileError` that names the first thing that is wrong.
  ///
  /// - Parameter isYUp: whether y grows upwards in the file.
  public static func read(_ bytes: [UInt8], isYUp: Bool = false) throws(DrawingFileError) -> [FiledDrawing] {
    var drawings: [FiledDrawing] = []
    var failure: DrawingFileError?
    forEachDrawing(in: bytes, isYUp: isYUp) { _, result in
      switch result {
      case .success(let drawing): drawings.append(drawing)
      case .failure(let error): failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return drawings
  }

  /// Whether the bytes can only be meant as drawings: they begin as JSON does.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    let first = withoutMark(bytes).first { $0 > UInt8(ascii: " ") }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The bytes behind a byte order mark, which some editors write.
  private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// Calls `body` with each drawing of a file or what is wrong with it, and its line: a bad line leaves the others alone.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - isYUp: whether y grows upwards in the file.
  ///   - body: called at least once; lines are counted from 1.
  package static func forEachDrawing(
    in bytes: [UInt8], isYUp: Bool,
    _ body: (_ line: Int, _ result: Result<FiledDrawing, DrawingFileError>) -> Void
  ) {
    let bytes = withoutMark(bytes)
    func read(_ object: Any, line: Int, item: Int? = nil) {
      body(
        line,
        Result { () throws(DrawingFileError) in
          try DrawingReader(line: line, item: item, isYUp: isYUp).drawing(object)
        })
    }
    // One object may be spread over many lines.
    if let object = try? JSONSerialization.jsonObject(with: Data(bytes)) {
      guard let list = object as? [Any] else { return read(object, line: 1) }
      for (index, drawing) in list.enumerated() { read(drawing, line: 1, item: index + 1) }
      if list.isEmpty {
        body(
          1, .failure(DrawingFileError(line: 1, expected: "a drawing as JSON", found: "an empty list")))
      }
      return
    }
    var isEmpty = true
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      isEmpty = false
      if let object = try? JSONSerialization.jsonObject(with: Data(line)) {
        read(object, line: index + 1)
      } else {
        body(
          index + 1,
          .failure(DrawingFileError(line: index + 1, expected: "a JSON object", found: "something else")))
      }
    }
    if isEmpty {
      body(
        1, .failure(DrawingFileError(line: 1, expected: "a drawing as JSON", found: "an empty file")))
    }
  }

  /// A drawing in our own form, y down, in one line.
  public static func write(_ drawing: Drawing) -> [UInt8] {
    let strokes = drawing.strokes.map { stroke -> [String: Any] in
      var fields: [String: Any] = ["points": stroke.points.map(Self.numbers)]
      if let width = stroke.points.first?.width, width.isFinite { fields["width"] = Double(width) }
      return fields
    }
    let object: [String: Any] = ["format": "inkling-drawing", "version": 1, "strokes": strokes]
    // Finite numbers, strings, lists and dictionaries can be written.
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    return data.map { [UInt8]($0) } ?? []
  }

  private static func numbers(_ point: StrokePoint) -> [Double] {
    var numbers = [Double(point.x), Double(point.y)]
    if point.pressure != nil || point.time != nil { numbers.append(Double(point.pressure ?? 0.5)) }
    if let time = point.time { numbers.append(Double(time)) }
    return numbers.map { $0.isFinite ? $0 : 0 }
  }
}

/// JSON that is no drawing.
public struct DrawingFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  /// The number of the drawing, from 1, in a file that is one list.
  public let item: Int?
  public let expected: String
  public let found: String

  init(line: Int, item: Int? = nil, expected: String, found: String) {
    self.line = line
    self.item = item
    self.expected = expected
    self.found = found
  }

  public var description: String {
    "\(item.map { "drawing \($0)" } ?? "line \(line)"): expected \(expected), found \(found)"
  }
}
