import Arguments
import Datasets
import DigitsModel
import Foundation
import HostInference
import Interchange
import PlainText
import Programs
import Training

@main
enum Main {
  private typealias Options = ExportOptions

  static func main() {
    Options.command.run { arguments in
      if let (name, model) = try exported(arguments) {
        try writePage(of: model, from: name, arguments)
        return
      }
      // Before minutes of work.
      try Options.check(arguments)
      if arguments[Options.format] == .c { _ = try ExportedFile.sourceStem(arguments[Options.output]) }
      do {
        try export(arguments)
      } catch let error as InterchangeError {
        throw MisfitError("\(error)", details: error.details)
      }
    }
  }

  private static func export(_ arguments: ParsedArguments) throws {
    let subject = try ExportSubject(arguments)
    let judges = try subject.judges(arguments)
    let pictures = arguments[Options.pictures] ?? (judges?.holdsNormalizedInk == true ? .ink : .resized)
    guard pictures == .resized || subject.shape == Dataset.shapeOfNormalizedInk else {
      throw MisfitError(
        "--pictures ink: expected a model of \(Dataset.shapeOfNormalizedInk), as ink is, found one of \(subject.shape)"
      )
    }
    let export = InkExport(
      weights: Options.weights(arguments),
      calibration: try arguments[Options.calibrate].map(subject.calibration),
      lowRankError: arguments[Options.lowRank], alignment: Int(arguments[Options.align].rawValue) ?? 4,
      refusal: try arguments[Options.refuse].map(subject.refusal),
      takesNormalizedInk: pictures == .ink, threads: arguments[threadsOption])
    let result = try export.run(subject.source)
    // What neighbours answer is learned on the device.
    let isJudged = !arguments[Options.updatableNeighbors]
    var report = try ExportReport(
      result, of: subject.source, on: isJudged ? judges : nil, threads: arguments[threadsOption])
    let accuracy = report.judgement.map {
      "\((100 * $0.comparison.second.accuracy).fixed(2))% of \($0.comparison.count.of("test image"))"
    }
    let file = try ExportedFile(result, of: subject, accuracy: accuracy, arguments)
    // What C source takes in memory is no matter of its text.
    if file.format != .c { report = report.of(fileOf: file.bytes.count) }
    let verification = try arguments[Options.verify] ? verification(file, subject, judges, arguments) : nil
    // Last, so that nothing is left where something was wrong.
    try file.write(to: arguments[Options.output])
    if arguments[Options.json] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let json = ExportReportJSON(report, verification: verification)
      print(String(decoding: try encoder.encode(json), as: UTF8.self))
    } else {
      let title = "\(subject.path) as \(arguments[Options.output])"
      let unjudged = isJudged ? nil : "not judged: it says \"unknown\" until it has learned from examples"
      let parts =
        [title] + subject.remarks + [unjudged, verification?.text, "", report.text].compactMap(\.self)
      print(parts.joined(separator: "\n"))
    }
  }

  /// Compares the file with its source; nil where nothing here reads such a file, which is said.
  private static func verification(
    _ file: ExportedFile, _ subject: ExportSubject, _ judges: Dataset?, _ arguments: ParsedArguments
  ) throws -> ExportVerification? {
    guard let judges, judges.count > 0 else {
      throw Options.command.usageError("--verify needs images: name a data set's folder with --data")
    }
    let count = min(arguments[Options.verifyImages], judges.count)
    let images = judges.images(at: (0..<count).map { $0 * judges.count / count })
    let threads = arguments[threadsOption]
    guard
      let found = try ReadBack(file: file, subject: subject, threads: threads).predictions(for: images)
    else {
      Terminal.writeError(
        "inkling-export: warning: not verified, since nothing here reads \(file.format.rawValue) files\n")
      return nil
    }
    let source = try subject.source.predictions(for: images, threads: threads)
    return ExportVerification(source: source, file: found)
  }

  /// An `.ink` file that is to become a page as it is, and its name; nil for anything else.
  private static func exported(_ arguments: ParsedArguments) throws -> (name: String, model: [UInt8])? {
    guard arguments[Options.format] == .html, arguments[Options.from] == nil else { return nil }
    guard let model = arguments[Options.model] else {
      return ("the network that comes with Inkling", DigitsModel.bytes)
    }
    let path = try RunFolder.modelPath(model)
    guard try FileReader(path: path).starts(with: InkFormat.magicBytes) else { return nil }
    // Says best what is wrong with a file.
    _ = try Network(contentsOf: URL(fileURLWithPath: path))
    return (path, try FileReader(path: path).readAll())
  }

  /// Options about exporting have no meaning then.
  private static func writePage(of model: [UInt8], from name: String, _ arguments: ParsedArguments) throws {
    let meant: [any CommandOption] = [Options.model, Options.output, Options.format]
    if let other = arguments.givenNames.first(where: { given in !meant.contains { $0.name == given } }) {
      throw Options.command.usageError("--\(other) goes with a checkpoint: \(name) is exported already")
    }
    let page = try ExportedFile.page(model, of: name)
    try AtomicFile.write(page, to: arguments[Options.output])
    print("\(name) as \(arguments[Options.output]), \(page.count.groupedDigits) bytes")
  }
}

extension ExportVerification {
  fileprivate var text: String {
    "verified  \(count.of("image")): probabilities at most \(Double(largestDifference).threeDigits) apart, "
      + "\(flipped.of("answer")) flipped"
  }
}
