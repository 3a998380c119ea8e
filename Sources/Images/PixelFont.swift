import Foundation

/// Small capital letters, digits and signs for labels in pictures, 5 by 7 pixels each.
enum PixelFont {
  static let width = 5
  static let height = 7
  /// From the left edge of one character to that of the next.
  static let advance = 6

  /// The pixels of a character that are ink, as columns and rows.
  ///
  /// Small letters are shown as capitals, accents are left out; what has no picture here is shown as a question mark.
  static func ink(of character: Character) -> [(column: Int, row: Int)] {
    if character == " " { return [] }
    let plain = String(character).folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    return plain.uppercased().first.flatMap { glyphs[$0] } ?? glyphs["?"] ?? []
  }

  private static let glyphs: [Character: [(column: Int, row: Int)]] = {
    var glyphs: [Character: [(column: Int, row: Int)]] = [:]
    for (characters, drawing) in drawings {
      for (row, line) in drawing.split(separator: "\n").enumerated() {
        let pixels = Array(line.utf8)
        for (place, character) in characters.enumerated() {
          for column in 0..<width where pixels[place * advance + column] == UInt8(ascii: "#") {
            glyphs[character, default: []].append((column, row))
          }
        }
      }
    }
    return glyphs
  }()

  private static let drawings: [(characters: String, drawing: String)] = [
    (
      #"ABCDEFGHIJKLM"#,
      """
      .###. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...#
      #...# #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.##
      #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.#
      ##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.#
      #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...#
      #...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...#
      #...# ####. .###. ####. ##### #.... .###. #...# .###. .##.. #...# ##### #...#
      """
    ),
    (
      #"NOPQRSTUVWXYZ"#,
      """
      #...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
      ##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#
      ##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
      #.#.# #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
      #..## #...# #.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#...
      #..## #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....
      #...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####
      """
    ),
    (
      #"0123456789.,-"#,
      """
      .###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... .....
      #...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# ..... ..... .....
      #..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# ..... ..... .....
      #.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... ..... .###.
      ##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....# ..... ..##. .....
      #...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ...#. ..##. ...#. .....
      .###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .##.. ..##. ..#.. .....
      """
    ),
    (
      #"_+/:'()&#%!?="#,
      """
      ..... ..... ....# ..... ..#.. ...#. .#... .##.. .#.#. ##..# ..#.. .###. .....
      ..... ..#.. ....# ..##. ..#.. ..#.. ..#.. #..#. .#.#. ##..# ..#.. #...# .....
      ..... ..#.. ...#. ..##. ..#.. ..#.. ..#.. #.#.. ##### ...#. ..#.. ....# #####
      ..... ##### ..#.. ..... ..... ..#.. ..#.. .#... .#.#. ..#.. ..#.. ...#. .....
      ..... ..#.. .#... ..##. ..... ..#.. ..#.. #.#.# ##### .#... ..#.. ..#.. #####
      ..... ..#.. #.... ..##. ..... ..#.. ..#.. #..#. .#.#. #..## ..... ..... .....
      ##### ..... #.... ..... ..... ...#. .#... .##.# .#.#. #..## ..#.. ..#.. .....
      """
    ),
  ]
}

extension Bitmap {
  /// The pixels that a text takes along a line, if its pixels are `scale` wide.
  public static func width(of text: String, scale: Int = 1) -> Int {
    max(0, text.count * PixelFont.advance - 1) * scale
  }

  /// The height of a line of text.
  public static func textHeight(scale: Int = 1) -> Int { PixelFont.height * scale }

  /// Writes a text in capitals, its upper left corner at (`x`, `y`); what lies outside the picture is left out.
  ///
  /// - Precondition: `color` has a value for each channel.
  public mutating func draw(_ text: String, x: Int, y: Int, color: [UInt8], scale: Int = 1) {
    precondition(color.count == channels)
    for (place, character) in text.enumerated() {
      for pixel in PixelFont.ink(of: character) {
        let left = x + (place * PixelFont.advance + pixel.column) * scale
        let top = y + pixel.row * scale
        for row in (top..<top + scale).clamped(to: 0..<height) {
          for column in (left..<left + scale).clamped(to: 0..<width) {
            let start = (row * width + column) * channels
            pixels.replaceSubrange(start..<start + channels, with: color)
          }
        }
      }
    }
  }
}
