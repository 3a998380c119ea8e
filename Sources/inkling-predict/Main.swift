import Arguments
import DigitsModel
import Foundation
import HostInference
import Ink
import PlainText
import RuntimePrograms

enum PredictOptions {
  static let model = Option<String?>(
    "model", value: "FILE", otherwise: "the digits that come with Inkling",
    help: "An .ink file, as inkling-export writes it.")
  static let isYUp = Flag("y-up", help: "In drawings y grows upwards, as in mathematics, not downwards.")
  static let invert = Flag("invert", help: "Make dark high in resized pictures.")
  static let segment = Flag(
    "segment", help: "Cut each picture into its digits, from left to right, and read them as a number.")
  static let top = Option<Int>(
    "top", value: "N", default: 3, in: 1...1000, help: "How many guesses to print.")
  static let show = Flag("show", help: "Draw in characters what the network sees.")
  static let json = Flag("json", help: "Print one JSON object instead of text.")

  static let command = Command(
    "inkling-predict",
    summary: """
      Says what pictures and drawings show. A network of ink, as the digits are, gets what is drawn cut out and \
      centred: it may be dark or light, anywhere on the paper and of any size. Any other gets the whole picture \
      resized, as "inkling-dataset pack --fit resize" does. inkling-info tells which a network takes.
      """,
    operands: Operands(
      "FILE", count: 1...Int.max,
      help: """
        A picture (PNG, JPEG, PGM or PPM) or drawings as JSON (of Inkling, of Quick Draw, or lists of points; one or \
        one a line); - is standard input. What it is shows in its content.
        """),
    sections: [
      .init("Input", [model, segment, isYUp, invert]), .init("Output", [top, show, json]),
    ],
    examples: [
      "inkling-predict seven.png photo.jpg drawing.json", "inkling-predict --show - < seven.png",
      "inkling-predict --model letters.ink --top 5 letter.png",
    ])
}

@main
enum Main {
  private typealias Options = PredictOptions

  static func main() {
    Options.command.run { arguments in
      if arguments[Options.json], arguments[Options.show] {
        throw Options.command.usageError("--json and --show exclude each other")
      }
      if arguments.operands.count(where: { $0 == "-" }) > 1 {
        throw Options.command.usageError("-, standard input, can be read once only; it is given twice")
      }
      let network = try network(arguments[Options.model])
      let reader = PictureReader(
        network, fit: try fit(network, arguments), isSegmenting: arguments[Options.segment],
        isYUp: arguments[Options.isYUp])
      let text = AnswerText(
        labels: network.labels, top: arguments[Options.top], names: arguments.operands)
      var answers: [Answer] = []
      // Errors wait for the next: the last is thrown, and gives the status.
      var failure: InputError?
      func report(_ error: InputError) {
        if let failure { Terminal.writeError("\(Options.command.name): \(failure.description.singleLine)\n") }
        failure = error
      }
      for operand in arguments.operands {
        let found: [Answer]
        do throws(InputError) {
          found = try reader.answers(for: InputFile(operand), report)
        } catch {
          report(error)
          continue
        }
        if arguments[Options.json] {
          answers += found
          continue
        }
        for (answer, line) in zip(found, text.lines(found)) {
          print(line)
          guard arguments[Options.show] else { continue }
          for reading in answer.content.readings {
            print(ShadedPicture(reading.pixels, of: network.input).text)
          }
        }
      }
      if arguments[Options.json] { print(try AnswerJSON(answers, top: arguments[Options.top]).encoded()) }
      if let failure { throw failure }
    }
  }

  private static func network(_ path: String?) throws -> Network {
    if let path { return try Network(contentsOf: URL(fileURLWithPath: path)) }
    var network = try Network(copying: DigitsModel.bytes)
    network.prepare()
    return network
  }

  private static func fit(_ network: Network, _ arguments: ParsedArguments) throws -> PictureFit {
    let isInverted = arguments[Options.invert]
    let extent = network.input.extent
    func refusal(_ expected: String, _ found: String) -> InputError {
      InputError(
        .badData, name: arguments[Options.model] ?? "--model",
        "expected a network \(expected), found one \(found); name another")
    }
    if network.takesNormalizedInk {
      guard !isInverted else {
        throw Options.command.usageError(
          "--invert is for networks of resized pictures; this one takes ink of any kind")
      }
      guard extent == Extent3(channels: 1, height: NormalizedInk.side, width: NormalizedInk.side) else {
        throw refusal("of ink in 28×28 pixels", "of \(extent.width)×\(extent.height)×\(extent.channels)")
      }
      return .ink(isInkHigh: network.input.isInkHigh)
    }
    guard extent.channels == 1 || extent.channels == 3 else {
      throw refusal("of grey or RGB images", "of \(extent.channels) channels")
    }
    return .resized(extent, isInverted: isInverted)
  }
}
