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

  /// Training images that calibration looks at.
  private static let calibrationCount = 500

  static func main() {
    Options.command.run { arguments in
      if let (name, model) = try exported(arguments) {
        try writePage(of: model, from: name, arguments)
        return
      }
      guard let model = arguments[Options.model] else {
        throw Options.command.usageError("--model: expected PATH, but it is not given")
      }
      let path = try RunFolder.modelPath(model)
      let checkpoint = try Checkpoint(contentsOf: path)
      let weights = arguments[Options.weights].type
      // Before minutes of work.
      let stem = arguments[Options.format] == .c ? try sourceStem(arguments[Options.output]) : nil
      if arguments[Options.calibrate] != nil, weights == .float32 || weights == .float16 {
        throw Options.command.usageError("--calibrate goes with --weights int8 or int4: floats need none")
      }
      let judges = try judges(arguments, checkpoint, path)
      let pictures = arguments[Options.pictures] ?? (judges?.holdsNormalizedInk == true ? .ink : .resized)
      let shape = checkpoint.model.architecture.input
      guard pictures == .resized || shape == Dataset.shapeOfNormalizedInk else {
        throw MisfitError(
          "--pictures ink: expected a model of \(Dataset.shapeOfNormalizedInk), as ink is, found one of \(shape)"
        )
      }
      let export = InkExport(
        weights: weights,
        calibration: try arguments[Options.calibrate].map { try calibration($0, checkpoint) },
        lowRankError: arguments[Options.lowRank], alignment: Int(arguments[Options.align].rawValue) ?? 4,
        refusal: try arguments[Options.refuse].map { try refusal($0, checkpoint, path) },
        takesNormalizedInk: pictures == .ink, threads: arguments[threadsOption])
      let result = try export.run(checkpoint)
      let page = arguments[Options.format] == .html ? try page(result.bytes, of: path) : nil
      let report = try ExportReport(
        result, of: ExportSource(checkpoint), on: judges, threads: arguments[threadsOption])
      // Last, so that nothing is left where something was wrong.
      if let stem {
        try writeSource(result, to: stem)
      } else {
        try AtomicFile.write(page ?? result.bytes, to: arguments[Options.output])
      }
      if arguments[Options.json] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(ExportReportJSON(report)), as: UTF8.self))
      } else {
        print("\(path) as \(arguments[Options.output])\n\n\(report.text)")
      }
    }
  }

  /// An `.ink` file that is to become a page as it is, and its name; nil for anything else.
  private static func exported(_ arguments: ParsedArguments) throws -> (name: String, model: [UInt8])? {
    guard arguments[Options.format] == .html else { return nil }
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
    let page = try page(model, of: name)
    try AtomicFile.write(page, to: arguments[Options.output])
    print("\(name) as \(arguments[Options.output]), \(page.count.groupedDigits) bytes")
  }

  /// The bytes of the page to draw on with the bytes of an `.ink` file.
  private static func page(_ model: [UInt8], of path: String) throws -> [UInt8] {
    do {
      return Array(try WebPage(model: model).text.utf8)
    } catch let error as WebPageError {
      throw MisfitError("\(path): \(error)")
    }
  }

  /// The output's path without `.c`; its file name goes into the text of the source.
  private static func sourceStem(_ path: String) throws -> String {
    guard path.hasSuffix(".c") else {
      throw Options.command.usageError("--format c writes a .c file and its header: expected --output NAME.c")
    }
    let stem = String(path.dropLast(2))
    let name = stem.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty, !name.contains(where: { "\"\\*?".contains($0) || $0.isNewline }) else {
      throw Options.command.usageError(
        "--output \(path): the name stands in an #include, so it may have no quote, \\, *, ? or line break")
    }
    return stem
  }

  /// Writes `digits.h` and `digits.c`, whose functions are called `digits_…`.
  private static func writeSource(_ result: InkExport.Result, to stem: String) throws {
    let name = stem.split(separator: "/").last.map(String.init) ?? ""
    let source = try CSource(result.network, tensors: result.tensors, name: name)
    try AtomicFile.write(Array(source.header.utf8), to: stem + ".h")
    try AtomicFile.write(Array(source.source.utf8), to: stem + ".c")
  }

  /// Images that the weights were fitted to, so that none to be judged by is looked at.
  private static func calibration(_ folder: String, _ checkpoint: Checkpoint) throws -> Dataset {
    let location = DataLocation(folder: folder, transpose: checkpoint.configuration?.data.transpose ?? false)
    let data = try location.load(.training, classes: checkpoint.classes)
    try requireFit(data, checkpoint)
    let count = min(calibrationCount, data.count)
    // Spread over the whole set, which may be sorted by class.
    let members = (0..<count).map { $0 * data.count / count }
    return data.images(at: members)
  }

  /// The images that training set aside, which the weights were not fitted to.
  private static func refusal(
    _ share: Double, _ checkpoint: Checkpoint, _ path: String
  ) throws -> Refusal.Rule {
    guard let configuration = checkpoint.configuration, configuration.validationCount > 0 else {
      throw MisfitError("--refuse: \(path) was trained without images set aside to judge by; train it again")
    }
    return Refusal.Rule(images: try configuration.validationImages(checkpoint.classes), share: share)
  }

  /// The test images: those that are named, or else those beside the run's training data, if they are still there.
  private static func judges(
    _ arguments: ParsedArguments, _ checkpoint: Checkpoint, _ path: String
  ) throws -> Dataset? {
    if Options.data.isGiven(arguments) {
      let data = try Options.data.location(arguments, command: Options.command)
        .load(.test, classes: checkpoint.classes)
      try requireFit(data, checkpoint)
      return data
    }
    guard let location = checkpoint.configuration?.data, location.folder != nil else { return nil }
    do throws(FileError) {
      return try location.load(.test, classes: checkpoint.classes)
    } catch {
      Terminal.writeError("inkling-export: warning: not judged, since there are no test images: \(error)\n")
      return nil
    }
  }

  private static func requireFit(_ data: Dataset, _ checkpoint: Checkpoint) throws(MisfitError) {
    guard data.shape == checkpoint.model.architecture.input else {
      throw MisfitError(
        "\(data.source): expected images of \(checkpoint.model.architecture.input) as the model takes them, "
          + "found \(data.shape); name data of the same kind")
    }
  }
}
