import Foundation
import Images
import Ink
import Testing

struct DrawingFileTests {
  private func read(_ text: String, isYUp: Bool = false) throws(DrawingFileError) -> [FiledDrawing] {
    try DrawingFile.read(Array(text.utf8), isYUp: isYUp)
  }

  @Test func ourOwnFormIsReadAsItIsWritten() throws {
    let drawing = Drawing(strokes: [
      Stroke(points: [
        StrokePoint(x: 1, y: -2.5, width: 6, pressure: 0.25, time: 0),
        StrokePoint(x: 3, y: 4, width: 6, pressure: 1, time: 16),
      ]), Stroke(points: [StrokePoint(x: 7, y: 8)]), Stroke(),
    ])
    #expect(try DrawingFile.read(DrawingFile.write(drawing)) == [FiledDrawing(drawing)])
  }

  @Test func quickDrawIsRead() throws {
    let text = """
      {"word":"angel","key_id":"1","drawing":[[[1,2,3],[4,5,6]],[[7],[8],[90]]]}
      {"word":"ant","drawing":[]}
      """
    let drawings = try read(text)
    #expect(drawings.map(\.label) == ["angel", "ant"])
    #expect(drawings[0].drawing.strokes[0].points.map { [$0.x, $0.y] } == [[1, 4], [2, 5], [3, 6]])
    #expect(drawings[0].drawing.strokes[1].points == [StrokePoint(x: 7, y: 8, time: 90)])
    #expect(try read("[\(text.split(separator: "\n").joined(separator: ","))]") == drawings)
  }

  @Test func aBadLineLeavesTheOthersAlone() {
    let text = """
      {"label": "a", "strokes": []}

      {"label": "b", "strokes": [[[0]]]}
      [1, 2
      {"label": "c", "strokes": []}
      """
    var found: [String] = []
    DrawingFile.forEachDrawing(in: Array(text.utf8), isYUp: false) { line, result in
      switch result {
      case .success(let drawing): found.append("\(line) \(drawing.label ?? "")")
      case .failure(let error): found.append("\(line) wrong in \(error.line)")
      }
    }
    #expect(found == ["1 a", "3 wrong in 3", "4 wrong in 4", "5 c"])
    #expect(throws: DrawingFileError.self) { try read(text) }
    found = []
    DrawingFile.forEachDrawing(in: [], isYUp: false) { line, _ in found.append("\(line)") }
    #expect(found == ["1"])
  }

  @Test func yMayPointUp() throws {
    let text = #"{"label": 7, "strokes": [[[0, 5], [1, -6]]]}"#
    let up = try read(text, isYUp: true)
    #expect(up[0].label == "7")
    #expect(up[0].drawing.strokes[0].points.map(\.y) == [-5, 6])
    #expect(try read(text)[0].drawing.strokes[0].points.map(\.y) == [5, -6])
  }

  @Test(arguments: [
    (
      #"{"strokes": [[[0, 0], ["NaN", 5]]]}"#,
      "line 1: expected finite numbers in point 2 of stroke 1, found the text \"NaN\""
    ),
    (
      #"{"strokes": [[[0, 0]], [[1e39, 5]]]}"#,
      "line 1: expected finite numbers in point 1 of stroke 2, found 1e+39"
    ),
    (#"{"strokes": [[[0]]]}"#, "line 1: expected [x, y] as point 1 of stroke 1, found another list"),
    (#"{"strokes": [[null]]}"#, "line 1: expected [x, y] as point 1 of stroke 1, found null"),
    (
      #"{"drawing": [[[1, 2], [3]]]}"#,
      "line 1: expected lists of x and of y of one length as stroke 1, found another list"
    ),
    (
      #"[{"strokes": []}, {"drawing": 7}]"#,
      "drawing 2: expected a list \"strokes\" or \"drawing\", found neither"
    ),
    ("[]", "line 1: expected a drawing as JSON, found an empty list"),
    ("{}", "line 1: expected a list \"strokes\" or \"drawing\", found neither"),
    ("7", "line 1: expected a JSON object, found something else"),
    ("{\"strokes\": []}\n\nhello", "line 3: expected a JSON object, found something else"),
    ("", "line 1: expected a drawing as JSON, found an empty file"),
    (
      #"{"format": "svg", "strokes": []}"#,
      "line 1: expected the format inkling-drawing, found the format svg"
    ),
    (
      #"{"format": "inkling-drawing", "version": 2, "strokes": []}"#,
      "line 1: expected version 1, found version 2, written by a newer Inkling"
    ),
    (#"{"format": 7, "strokes": []}"#, "line 1: expected the format inkling-drawing, found 7"),
    (#"{"format": "inkling-drawing", "strokes": []}"#, "line 1: expected version 1, found none"),
    (
      #"{"format": "inkling-drawing", "version": 1.5, "strokes": []}"#,
      "line 1: expected version 1, found version 1.5, written by a newer Inkling"
    ),
  ])
  func whatIsNoDrawingIsSaid(text: String, message: String) {
    #expect {
      try read(text)
    } throws: { "\($0)" == message }
  }

  @Test func aByteOrderMarkIsLeftOut() throws {
    let text = "\u{FEFF}{\"label\": 1, \"strokes\": []}\n{\"label\": 2, \"strokes\": []}"
    #expect(try read(text).map(\.label) == ["1", "2"])
    #expect(DrawingFile.recognizes(Array(text.utf8)) && DrawingFile.recognizes(Array(" \n[".utf8)))
    for other in ["", "\u{FEFF}", "P2 1 1 1 1", "x{"] { #expect(!DrawingFile.recognizes(Array(other.utf8))) }
  }

  /// A width that is no number is not written as one.
  @Test func whatIsWrittenIsJSON() throws {
    let stroke = Stroke(points: [StrokePoint(x: 1, y: .nan, width: .infinity, pressure: .nan)])
    let read = try DrawingFile.read(DrawingFile.write(Drawing(strokes: [stroke])))
    #expect(read[0].drawing.strokes[0].points == [StrokePoint(x: 1, y: 0, pressure: 0)])
  }
}
