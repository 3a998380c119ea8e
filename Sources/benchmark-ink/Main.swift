import DigitsModel
import Foundation
import HostInference
import Ink
import PlainText

/// Measures the way from a drawing or a picture to a label, with the network that comes with Inkling, on one thread.
@main
enum Main {
  /// Each figure is the median of so many rounds.
  private static let rounds = 15
  private static let secondsPerRound = 0.05

  static func main() throws {
    var network = try Network(copying: DigitsModel.bytes)
    network.prepare()
    let (drawing, page) = (Self.three, Self.page)
    let pixels = try drawing.normalized()
    var table = TextTable([.left, .right, .right])
    table.add(["step", "median µs", "range"])
    func measure(_ name: String, _ body: () throws -> Void) throws {
      var figures: [Double] = []
      for _ in 0..<rounds { figures.append(try microseconds(body)) }
      figures.sort()
      table.add([
        name, figures[rounds / 2].threeDigits, "\(figures[0].threeDigits)–\(figures[rounds - 1].threeDigits)",
      ])
    }
    try measure("drawing of 100 points to 28 × 28") { _ = try drawing.normalized() }
    try measure("predict") { _ = try network.predict(pixels) }
    try measure("drawing to label") { _ = try network.predict(drawing.normalized()) }
    try measure("picture of 200 × 200 to 28 × 28") { _ = try normalized(page, width: 200, height: 200) }
    print(
      "\(network.byteCount.groupedDigits) bytes of network, 1 thread, kernels \(Network.kernelSets.first ?? "portable")\n"
    )
    print(table.text)
  }

  /// Runs `body` over and over; the mean time it takes.
  private static func microseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0.0
    while clock.now - start < .seconds(secondsPerRound) {
      for _ in 0..<20 { try body() }
      count += 20
    }
    return (clock.now - start) / .microseconds(1) / count
  }

  /// A 3 of 100 points.
  private static var three: Drawing {
    let points = (0..<100).map { step -> StrokePoint in
      let turn = Double(step % 50) / 49 * 1.5 * .pi - 0.75 * .pi
      let (x, y) = (60 * cos(turn), 50 * sin(turn) + (step < 50 ? 0 : 100))
      return StrokePoint(x: Float(x), y: Float(y))
    }
    return Drawing(strokes: [Stroke(points: points)])
  }

  /// A dark 7 on a page that is lighter on one side.
  private static var page: [UInt8] {
    (0..<200 * 200).map { index in
      let (x, y) = (index % 200, index / 200)
      let isInk =
        (50..<58).contains(y) && (50..<140).contains(x)
        || (58..<160).contains(y) && abs(x - (140 - (y - 58) / 2)) < 5
      return UInt8(isInk ? 40 : 180 + x / 4)
    }
  }
}
