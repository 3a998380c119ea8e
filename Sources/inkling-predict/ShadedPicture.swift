import HostInference

/// A network's image in characters, two for each pixel, since characters are twice as high as wide; full where a value is
/// that of ink. Of an image of more than 40 columns squares of pixels are averaged.
struct ShadedPicture {
  private static let shades: [Character] = [" ", "░", "▒", "▓", "█"]
  private static let mostColumns = 40

  let text: String

  /// - Parameters:
  ///   - pixels: [channels, height, width] of the input.
  ///   - input: what the pixels mean.
  init(_ pixels: [UInt8], of input: Network.InputDescription) {
    let (width, height) = (input.extent.width, input.extent.height)
    let side = (width + Self.mostColumns - 1) / Self.mostColumns
    let columns = (width + side - 1) / side
    var lines = ["┌\(String(repeating: "──", count: columns))┐"]
    for top in stride(from: 0, to: height, by: side) {
      var line = "│"
      for left in stride(from: 0, to: width, by: side) {
        var (sum, count) = (0, 0)
        for channel in 0..<input.extent.channels {
          for y in top..<min(height, top + side) {
            for x in left..<min(width, left + side) {
              sum += Int(pixels[(channel * height + y) * width + x])
              count += 1
            }
          }
        }
        let ink = input.isInkHigh ? sum / count : 255 - sum / count
        // No ink at all is blank and the most is full; between, thirds.
        let shade = ink == 0 ? 0 : min(4, 1 + ink * 4 / 256)
        line += String(repeating: Self.shades[shade], count: 2)
      }
      lines.append(line + "│")
    }
    lines.append("└\(String(repeating: "──", count: columns))┘")
    text = lines.joined(separator: "\n")
  }
}
