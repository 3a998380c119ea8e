import Foundation
import Ink

/// Makes a drawing of one JSON object.
struct DrawingReader {
  let line: Int
  /// Its number where the line holds a list.
  let item: Int?
  let isYUp: Bool

  func drawing(_ object: Any) throws(DrawingFileError) -> FiledDrawing {
    guard let fields = object as? [String: Any] else {
      throw error("an object with \"strokes\" or \"drawing\"", Self.kind(object))
    }
    if let format = fields["format"] {
      guard format as? String == "inkling-drawing" else {
        throw error(
          "the format inkling-drawing",
          (format as? String).map { "the format \($0.prefix(40))" } ?? Self.kind(format))
      }
      guard let version = fields["version"] as? NSNumber else { throw error("version 1", "none") }
      guard version.doubleValue == 1 else {
        throw error("version 1", "version \(version), written by a newer Inkling")
      }
    }
    var strokes: [Stroke] = []
    if let lists = fields["strokes"] as? [Any] {
      for (index, list) in lists.enumerated() { strokes.append(try stroke(list, index)) }
    } else if let lists = fields["drawing"] as? [Any] {
      for (index, list) in lists.enumerated() { strokes.append(try columns(list, index)) }
    } else {
      throw error("a list \"strokes\" or \"drawing\"", "neither")
    }
    let label = fields["label"] ?? fields["word"]
    return FiledDrawing(
      Drawing(strokes: strokes), label: (label as? String) ?? (label as? NSNumber).map { "\($0)" })
  }

  /// `{"points": [[x, y, pressure, ms], …], "width": w}`, or the points alone.
  private func stroke(_ object: Any, _ index: Int) throws(DrawingFileError) -> Stroke {
    let fields = object as? [String: Any]
    guard let points = (fields?["points"] ?? object) as? [Any] else {
      throw error("a list of points as stroke \(index + 1)", Self.kind(object))
    }
    let width = (fields?["width"] as? NSNumber)?.floatValue
    var stroke = Stroke()
    stroke.points.reserveCapacity(points.count)
    for (place, point) in points.enumerated() {
      guard let values = point as? [Any], (2...4).contains(values.count) else {
        throw error("[x, y] as \(name(place, of: index))", Self.kind(point))
      }
      stroke.points.append(
        StrokePoint(
          x: try number(values[0], place, index), y: try height(values[1], place, index), width: width,
          pressure: values.count > 2 ? try number(values[2], place, index) : nil,
          time: values.count > 3 ? try number(values[3], place, index) : nil))
    }
    return stroke
  }

  /// `[[x, …], [y, …]]`, and perhaps times.
  private func columns(_ object: Any, _ index: Int) throws(DrawingFileError) -> Stroke {
    guard let lists = object as? [[Any]], (2...3).contains(lists.count),
      lists.allSatisfy({ $0.count == lists[0].count })
    else { throw error("lists of x and of y of one length as stroke \(index + 1)", Self.kind(object)) }
    var stroke = Stroke()
    for place in lists[0].indices {
      stroke.points.append(
        StrokePoint(
          x: try number(lists[0][place], place, index), y: try height(lists[1][place], place, index),
          time: lists.count > 2 ? try number(lists[2][place], place, index) : nil))
    }
    return stroke
  }

  private func height(_ object: Any, _ place: Int, _ stroke: Int) throws(DrawingFileError) -> Float {
    let value = try number(object, place, stroke)
    return isYUp ? -value : value
  }

  private func number(_ object: Any, _ place: Int, _ stroke: Int) throws(DrawingFileError) -> Float {
    guard let number = object as? NSNumber, number.floatValue.isFinite else {
      throw error("finite numbers in \(name(place, of: stroke))", Self.kind(object))
    }
    return number.floatValue
  }

  private func name(_ point: Int, of stroke: Int) -> String { "point \(point + 1) of stroke \(stroke + 1)" }

  private func error(_ expected: String, _ found: String) -> DrawingFileError {
    DrawingFileError(line: line, item: item, expected: expected, found: found)
  }

  private static func kind(_ object: Any) -> String {
    switch object {
    case let text as String: "the text \"\(text.prefix(40))\""
    case let number as NSNumber: "\(number)"
    case is [Any]: "another list"
    case is [String: Any]: "an object"
    default: "null"
    }
  }
}
