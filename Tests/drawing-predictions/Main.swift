import Foundation
import HostInference
import Ink

/// Writes down what is made of drawings on this machine: the reference for WebAssembly.
///
/// usage: drawing-predictions MODEL.ink DRAWINGS.json PREDICTIONS, where DRAWINGS.json has the form of the golden ones of
/// `Ink`. PREDICTIONS gets for each of them, and for one of a million points, the picture's 784 bytes, the class as a
/// 32-bit number, and the probabilities as floats.
@main
enum Main {
  private struct Golden: Decodable {
    /// x and y of each point in turn.
    let strokes: [[Float]]

    var drawing: Drawing {
      Drawing(
        strokes: strokes.map { values in
          Stroke(
            points: stride(from: 0, to: values.count, by: 2).map {
              StrokePoint(x: values[$0], y: values[$0 + 1])
            })
        })
    }
  }

  /// drawings.mjs makes the same one.
  private static var million: Drawing {
    Drawing(strokes: [
      Stroke(
        points: (0..<1_000_000).map { StrokePoint(x: Float($0 * 7919 % 1009), y: Float($0 * 7907 % 997)) })
    ])
  }

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      print("usage: drawing-predictions MODEL.ink DRAWINGS.json PREDICTIONS")
      exit(64)
    }
    // Not prepared, so that it runs the plain loops.
    let network = try Network(copying: [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[1]))))
    let golden = try JSONDecoder().decode(
      [Golden].self, from: Data(contentsOf: URL(fileURLWithPath: arguments[2])))
    var records = Data()
    for drawing in golden.map(\.drawing) + [million] {
      let picture = try drawing.normalized()
      let prediction = try network.predict(picture)
      records.append(contentsOf: picture)
      withUnsafeBytes(of: Int32(prediction.classIndex).littleEndian) { records.append(contentsOf: $0) }
      for probability in prediction.probabilities {
        withUnsafeBytes(of: probability.bitPattern.littleEndian) { records.append(contentsOf: $0) }
      }
    }
    try records.write(to: URL(fileURLWithPath: arguments[3]))
  }
}
