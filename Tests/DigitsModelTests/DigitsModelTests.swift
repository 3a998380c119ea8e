import Datasets
import DigitsModel
import Foundation
import HostInference
import Ink
import Testing

/// What the network that comes along promises: digits as people draw them, and "no digit" for the rest.
struct DigitsModelTests {
  private let network: Network

  init() throws { network = try Network(copying: DigitsModel.bytes).preparedForHost() }

  private func answer(_ strokes: [[(Float, Float)]]) throws -> String? {
    let drawing = Drawing(
      strokes: strokes.map { Stroke(points: $0.map { StrokePoint(x: $0.0, y: $0.1) }) })
    let prediction = try network.predict(drawing.normalized())
    return prediction.isRefused ? nil : prediction.label
  }

  @Test func saysWhatItTakes() {
    #expect(network.takesNormalizedInk && network.refusalThreshold > 0)
    #expect(network.labels == (0..<10).map(String.init))
    #expect(network.byteCount < 80_000)
  }

  /// Points of an ellipse, from one part of a turn to another, clockwise from the right.
  private func arc(
    _ x: Float, _ y: Float, _ width: Float, _ height: Float, _ start: Float, _ end: Float
  ) -> [(Float, Float)] {
    (0...24).map { step in
      let angle = 2 * Float.pi * (start + (end - start) * Float(step) / 24)
      return (x + width * cos(angle), y + height * sin(angle))
    }
  }

  /// Drawn as a finger would, in several forms, in a field of any size.
  @Test(arguments: [1, 7.5, 400] as [Float]) func readsDrawnDigits(scale: Float) throws {
    let forms: [(String, [[(Float, Float)]])] = [
      ("0", [arc(5, 7, 4, 7, -0.25, -1.25)]), ("0", [arc(5, 7, 4, 7, -0.25, -1.25), [(9, 1), (1, 13)]]),
      ("1", [[(5, 0), (5, 14)]]), ("1", [[(2, 4), (5, 0), (5, 14)], [(2, 14), (8, 14)]]),
      ("2", [arc(5, 4, 4, 4, -0.45, 0.1) + [(1, 14), (9, 14)]]),
      ("3", [arc(4, 3.5, 4, 3.5, -0.4, 0.25) + arc(4, 10.5, 4.5, 3.5, -0.25, 0.4)]),
      ("4", [[(6, 0), (0, 9), (10, 9)], [(7, 0), (7, 14)]]),
      ("4", [[(1, 0), (1, 7), (8, 7)], [(8, 0), (8, 14)]]),
      ("5", [[(8, 0), (2, 0), (1.5, 6)] + arc(4, 9.5, 4.5, 4.5, -0.3, 0.35)]),
      ("6", [[(7, 0), (3, 4), (1, 9)] + arc(5, 10, 4, 4, -0.5, -1.45)]),
      ("7", [[(0, 0), (9, 0), (4, 14)]]), ("7", [[(0, 0), (9, 0), (4, 14)], [(3, 7), (9, 7)]]),
      ("8", [arc(5, 3.5, 3, 3.5, 0.25, -0.75) + arc(5, 10.5, 4, 3.5, -0.25, 0.75)]),
      ("9", [arc(5, 4, 4, 4, 0, -1) + [(8.5, 9), (7, 14)]]),
    ]
    for (label, strokes) in forms {
      let scaled = strokes.map { $0.map { ($0.0 * scale - 3, $0.1 * scale + 11) } }
      #expect(try answer(scaled) == label)
    }
  }

  /// Random numbers that are the same everywhere.
  private struct Numbers {
    var state: UInt64
    mutating func next() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24)
    }
  }

  /// Of a hundred each at least 90 are refused: the network refuses some 95 to 99 of a hundred.
  @Test(arguments: ["scribbles", "hatching", "dots", "dashes", "spirals"]) func refuses(kind: String) throws {
    var numbers = Numbers(state: 5)
    var refused = 0
    for _ in 0..<100 {
      var strokes: [[(Float, Float)]] = []
      switch kind {
      case "scribbles": strokes = [(0..<20).map { _ in (numbers.next(), numbers.next()) }]
      case "hatching":
        strokes = [
          (0..<14).map { (Float($0 % 2) + 0.1 * numbers.next(), Float($0) / 14 + 0.02 * numbers.next()) }
        ]
      case "dots":
        let count = 2 + Int(numbers.next() * 5)
        strokes = (0..<count).map { _ in [(numbers.next(), numbers.next())] }
      case "dashes":
        let tilt = numbers.next() * 0.3 - 0.15
        strokes = [[(0, 0), (0.5, tilt / 2 + 0.03 * numbers.next()), (1, tilt)]]
      default:
        let turns = 2.5 + 2 * numbers.next()
        strokes = [
          (0..<80).map { step in
            let (angle, radius) = (2 * Float.pi * turns * Float(step) / 80, 0.2 + 0.8 * Float(step) / 80)
            return (radius * cos(angle), radius * sin(angle))
          }
        ]
      }
      if try answer(strokes) == nil { refused += 1 }
    }
    #expect(refused >= 90, "\(kind)")
  }

  private func judge(_ folder: String) throws -> (accuracy: Double, refused: Double) {
    let data = try DatasetSource(folder: folder).load(.test)
    var (right, refused) = (0, 0)
    for image in 0..<data.count {
      let pixels = data.pixels[image * data.shape.count..<(image + 1) * data.shape.count]
      let prediction = try network.predict(Array(pixels))
      if prediction.classIndex == Int(data.labels[image]) { right += 1 }
      if prediction.isRefused { refused += 1 }
    }
    return (Double(right) / Double(data.count), Double(refused) / Double(data.count))
  }

  /// On all of MNIST's test images the model card says how many; these thousand are part of its training images.
  @Test func readsTheDigitsThatComeAlong() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Data/mnist-5k").path
    let (accuracy, refused) = try judge(folder)
    #expect(accuracy >= 0.99 && refused <= 0.01)
  }

  private static let mnist = ProcessInfo.processInfo.environment["INKLING_MNIST"]

  /// As the model card says, less what another processor's kernels might change.
  @Test(.enabled(if: mnist != nil)) func readsMNIST() throws {
    let (accuracy, refused) = try judge(#require(Self.mnist))
    #expect(accuracy >= 0.994 && refused <= 0.005)
  }
}
