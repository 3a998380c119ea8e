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
  /// One of the drawings of a file, or what is wrong with it.
  public struct Entry: Sendable {
    public let place: DrawingPlace
    public let drawing: Result<FiledDrawing, DrawingFileError>
  }

  /// Whether the bytes look like a drawing: like JSON, that is.
  public static func recognizes(_ bytes: [UInt8]) -> Bool {
    let first = text(bytes).first { $0 > UInt8(ascii: " ") }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The drawings of a file. Throws a `DrawingFileError` that names the first thing that is wrong.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - isYUp: whether y grows upwards in the file.
  public static func read(_ bytes: [UInt8], isYUp: Bool = false) throws(DrawingFileError) -> [FiledDrawing] {
    var drawings: [FiledDrawing] = []
    for entry in entries(bytes, isYUp: isYUp) { drawings.append(try entry.drawing.get()) }
    return drawings
  }

  /// The drawings of a file, each by itself, so that one that is wrong does not hide the others; at least one entry.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - isYUp: whether y grows upwards in the file.
  public static func entries(_ bytes: [UInt8], isYUp: Bool = false) -> [Entry] {
    let bytes = text(bytes)
    // One object may be spread over many lines.
    if let object = try? JSONSerialization.jsonObject(with: Data(bytes)) {
      guard let list = object as? [Any] else { return [entry(object, at: .line(1), isYUp)] }
      if list.isEmpty { return [nothing("an empty list")] }
      return list.enumerated().map { entry($1, at: .item($0 + 1), isYUp) }
    }
    var entries: [Entry] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      entries.append(entry(try? JSONSerialization.jsonObject(with: Data(line)), at: .line(index + 1), isYUp))
    }
    return entries.isEmpty ? [nothing("an empty file")] : entries
  }

  /// The bytes behind a byte order mark, which some editors write.
  private static func text(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// - Parameter object: what JSON there is; nil where it is none.
  private static func entry(_ object: Any?, at place: DrawingPlace, _ isYUp: Bool) -> Entry {
    Entry(
      place: place,
      drawing: Result { () throws(DrawingFileError) in
        guard let object else {
          throw DrawingFileError(place: place, expected: "a JSON object", found: "something else")
        }
        return try DrawingReader(place: place, isYUp: isYUp).drawing(object)
      })
  }

  private static func nothing(_ found: String) -> Entry {
    Entry(
      place: .line(1),
      drawing: .failure(DrawingFileError(place: .line(1), expected: "a drawing as JSON", found: found)))
  }

  /// A drawing in our own form, y down, in one line.
  public static func write(_ drawing: Drawing) -> [UInt8] {
    let strokes = drawing.strokes.map { stroke -> [String: Any] in
      var fields: [String: Any] = ["points": stroke.points.map(Self.numbers)]
      if let width = stroke.points.first?.width { fields["width"] = Double(width) }
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

/// Where in a file a drawing stands, counted from 1.
public enum DrawingPlace: Hashable, Sendable, CustomStringConvertible {
  case line(Int)
  /// In a file that is one list.
  case item(Int)

  public var number: Int {
    switch self {
    case .line(let number), .item(let number): number
    }
  }

  public var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .item(let number): "drawing \(number)"
    }
  }
}

/// JSON that is no drawing.
public struct DrawingFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public let place: DrawingPlace
  public let expected: String
  public let found: String

  public var description: String { "\(place): expected \(expected), found \(found)" }
}
