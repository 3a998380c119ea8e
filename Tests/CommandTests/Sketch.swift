import Foundation
import Images

/// Digits of a few lines, as pictures and as strokes.
enum Sketch {
  typealias Line = [(x: Double, y: Double)]

  static let seven: [Line] = [[(0, 0), (50, 0), (20, 80)]]
  static let one: [Line] = [[(10, 0), (10, 80)]]
  static let zero: [Line] = [
    (0...40).map { step in
      let angle = Double(step) * .pi / 20
      return (25 + 22 * sin(angle), 40 - 38 * cos(angle))
    }
  ]

  /// Dark lines, 8 pixels wide, on light paper; each digit 110 pixels to the right of the one before.
  static func picture(_ digits: [[Line]]) -> Bitmap {
    let (width, height) = (110 * max(1, digits.count), 140)
    var picture = Bitmap(width: width, height: height, channels: 1, filledWith: 235)
    for (number, digit) in digits.enumerated() {
      for line in digit {
        for (start, end) in zip(line, line.dropFirst()) {
          for step in 0...200 {
            let share = Double(step) / 200
            let x = Double(110 * number + 30) + start.x + share * (end.x - start.x)
            let y = 30 + start.y + share * (end.y - start.y)
            for row in Int(y) - 4...Int(y) + 4 {
              for column in Int(x) - 4...Int(x) + 4
              where hypot(Double(column) - x, Double(row) - y) <= 4 {
                picture.pixels[row * width + column] = 40
              }
            }
          }
        }
      }
    }
    return picture
  }

  /// One line of JSON.
  static func json(_ digit: [Line], isYUp: Bool = false) -> String {
    let strokes = digit.map { line in
      "[\(line.map { "[\($0.x), \(isYUp ? -$0.y : $0.y)]" }.joined(separator: ", "))]"
    }
    return "{\"strokes\": [\(strokes.joined(separator: ", "))]}\n"
  }
}
