import Arguments
import Datasets
import Foundation
import Inference
import Interchange
import PlainText
import Programs
import Training

enum ExportOptions {
  enum Weights: String, CaseIterable {
    case f32, f16, int8, int4

    var type: TensorType {
      switch self {
      case .f32: .float32
      case .f16: .float16
      case .int8: .int8
      case .int4: .int4
      }
    }
  }

  static let model = Option<String>(
    "model", value: "PATH", help: "A run folder, of which the best checkpoint is taken, or a checkpoint.")
  enum Format: String, CaseIterable { case ink, c }

  static let output = Option<String>(
    "output", value: "FILE", help: "The file to write; with --format c also a header beside it.")
  static let format = Option(
    "format", value: "NAME", default: Format.ink,
    help: "The compact file, or C99 source with the weights inside, without malloc or libm.")
  static let weights = Option(
    "weights", value: "TYPE", default: Weights.f16, help: "How weights are stored.")
  static let calibrate = Option<String?>(
    "calibrate", value: "DIR",
    help: "Compute with whole numbers, calibrated on 500 training images of this folder; for int8 and int4.")
  static let refuse = Option<Double?>(
    "refuse", value: "SHARE", in: 0...0.5,
    help: "Let the file say of an image that it shows none of the classes, at the price of this share of "
      + "those set aside in training, such as 0.004; also fits the temperature by them. Best trained with --outliers."
  )
  enum Pictures: String, CaseIterable { case ink, resized }
  static let pictures = Option<Pictures?>(
    "pictures", value: "HOW", otherwise: "ink if the images to judge by lie so, as MNIST's do",
    help: "How the file's users make images of drawings and of pictures: ink, cut out, centred and its lines "
      + "made as wide as MNIST's, or resized.")
  static let lowRank = Option<Float?>(
    "low-rank", value: "ERROR", in: 0..<1,
    help: "Split dense layers in two where their weights then have at most this relative error, such as 0.05."
  )
  static let align = Option(
    "align", value: "BYTES", default: Alignment.four, help: "What the offset of each tensor is a multiple of."
  )
  static let data = DataOptions(.test)
  static let json = Flag("json", help: "Print the report as one JSON object instead of text.")

  enum Alignment: String, CaseIterable {
    case one = "1", two = "2", four = "4", eight = "8", sixteen = "16", thirtyTwo = "32", sixtyFour = "64"
  }

  static let command = Command(
    "inkling-export", summary: "Writes a trained model as a compact file for use, and says what that cost.",
    sections: [
      .init("Model and file", [model, output, format, weights, calibrate, refuse, pictures, lowRank, align]),
      .init("Images to judge by: the run's own, unless named", data.list),
      .init("Report", [json, threadsOption]),
    ],
    examples: [
      "inkling-export --model runs/lenet5 --output lenet5.ink --weights int8 --calibrate Data/mnist",
      "inkling-export --model runs/lenet5 --output digits.c --format c --weights int8",
    ])
}

@main
enum Main {
  private typealias Options = ExportOptions

  /// Training images that calibration looks at.
  private static let calibrationCount = 500

  static func main() {
    Options.command.run { arguments in
      let path = try RunFolder.modelPath(arguments[Options.model])
      let checkpoint = try Checkpoint(contentsOf: path)
      let weights = arguments[Options.weights].type
      // Before minutes of work.
      let stem = arguments[Options.format] == .c ? try sourceStem(arguments[Options.output]) : nil
      if arguments[Options.calibrate] != nil, weights == .float32 || weights == .float16 {
        throw Options.command.usageError("--calibrate goes with --weights int8 or int4: floats need none")
      }
      let judges = try judges(arguments, checkpoint, path)
      let pictures = arguments[Options.pictures] ?? (judges?.holdsNormalizedInk == true ? .ink : .resized)
      let export = InkExport(
        weights: weights,
        calibration: try arguments[Options.calibrate].map { try calibration($0, checkpoint) },
        lowRankError: arguments[Options.lowRank], alignment: Int(arguments[Options.align].rawValue) ?? 4,
        refusal: try arguments[Options.refuse].map { try refusal($0, checkpoint, path) },
        takesNormalizedInk: pictures == .ink, threads: arguments[threadsOption])
      let result = try export.run(checkpoint)
      let report = try ExportReport(
        result, of: checkpoint, on: judges, threads: arguments[threadsOption])
      // Last, so that nothing is left where something was wrong.
      if let stem {
        try writeSource(result, to: stem)
      } else {
        try AtomicFile.write(result.bytes, to: arguments[Options.output])
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
