import Arguments
import Datasets
import PlainText
import Programs

enum PackCommand {
  enum Fit: String, CaseIterable { case ink, resize }

  private static let output = Option<String>(
    "output", value: "DIR", help: "Folder to make; it may not hold anything yet.")
  private static let test = Option(
    "test", value: "SHARE", default: 0.2, in: 0.0...1.0,
    help: "Share of each class that is set aside for test; what looks the same stays together.")
  private static let seed = Option(
    "seed", value: "N", default: 1, in: 0...UInt64.max, help: "Seed of the split and of the order.")
  private static let gzip = Flag("gzip", help: "Compress the files.")
  private static let skip = Flag(
    "skip-bad", help: "Leave out what cannot be packed, rather than stop because of it.")
  private static let fit = Option(
    "fit", value: "HOW", default: Fit.ink,
    help:
      "\"ink\" cuts out what is drawn, centres it in 28x28 and makes ink high, as in MNIST; \"resize\" keeps the "
      + "whole picture, its sides in proportion and light high.")
  private static let yUp = Flag("y-up", help: "In drawings y grows upwards.")
  private static let width = Option(
    "width", value: "N", default: 28, in: 1...1024, help: "Pixels in a row of a resized picture.")
  private static let height = Option(
    "height", value: "N", default: 28, in: 1...1024, help: "Rows of a resized picture.")
  private static let color = Flag("color", help: "Keep red, green and blue of resized pictures.")
  private static let invert = Flag("invert", help: "Make dark high in resized pictures.")

  static let command = Command(
    "inkling-dataset pack", summary: "Makes a data set of pictures and drawings, for inkling-train.",
    operands: Operands(
      "FOLDER", count: 1...Int.max,
      help:
        "Has one subfolder a class, named after it, with PNG, JPEG, PGM or PPM pictures or drawings as JSON. Or "
        + "files of drawings that have a \"label\" or \"word\" each (.json, .jsonl, .ndjson)."),
    sections: [
      .init("Data", [output, test, seed, gzip, skip, threadsOption]),
      .init("Pictures", [fit, yUp, width, height, color, invert]),
    ],
    examples: [
      "inkling-dataset pack photos --output packed",
      "inkling-dataset pack plants --output packed --fit resize --width 32 --height 32 --color",
    ])

  static func run(_ arguments: ParsedArguments) throws {
    let fit = try pictureFit(arguments)
    let (folders, output) = (arguments.operands, arguments[output])
    var files: [PictureFolder.File] = []
    var failures: [FileError] = []
    for path in folders {
      let folder = try PictureFolder(path: path)
      guard !folder.contains(output) else {
        throw command.usageError(
          "--output \(output) lies in \(path), where it would be taken for a class; choose another place")
      }
      files += folder.files
      failures += folder.failures
    }

    // Before the pictures are read, which may take minutes.
    try AtomicFolder.requireFree(output)
    let progress = Progress(of: files.count)
    let results = PictureReader(fit: fit, isYUp: arguments[yUp])
      .read(files, threads: arguments[threadsOption], progress: progress.show)
    progress.clear()
    var images: [PackedImage] = []
    for result in results {
      do throws(FileError) { images.append(try result.get()) } catch { failures.append(error) }
    }
    if !failures.isEmpty { try report(failures, among: failures.count + images.count, arguments[skip]) }

    let packed = try PackedDataset(
      images, shape: fit.shape, testShare: arguments[test], seed: arguments[seed], origin: folders[0])
    let names = try packed.write(to: output, gzip: arguments[gzip])
    print(summary(packed, fit, names, output))
  }

  private static func pictureFit(_ arguments: ParsedArguments) throws(UsageError) -> PictureFit {
    if arguments[fit] == .resize {
      return .resized(
        width: arguments[width], height: arguments[height], isColored: arguments[color],
        isInverted: arguments[invert])
    }
    let idle = Set([width.name, height.name, color.name, invert.name]).intersection(arguments.givenNames)
    if let name = idle.min() { throw command.usageError("--\(name) needs --fit resize") }
    return .ink
  }

  /// Says what is wrong with each file, up to a limit; throws unless they are to be left out.
  private static func report(_ failures: [FileError], among count: Int, _ isSkipped: Bool) throws {
    let limit = 20
    for failure in failures.prefix(limit) {
      Terminal.writeError("\(command.name): \("\(failure)".singleLine)\n")
    }
    if failures.count > limit {
      Terminal.writeError("\(command.name): and \((failures.count - limit).groupedDigits) more\n")
    }
    let these = "\(failures.count.groupedDigits) of \(count.groupedDigits)"
    guard isSkipped else {
      throw MisfitError(
        "\(these) cannot be packed, so nothing was written; put them right, or leave them out with --skip-bad"
      )
    }
    Terminal.writeError("\(command.name): left out \(these)\n")
  }

  private static func summary(
    _ packed: PackedDataset, _ fit: PictureFit, _ names: [String], _ output: String
  ) -> String {
    let (training, test) = (packed.counts(of: packed.split.training), packed.counts(of: packed.split.test))
    var table = TextTable([.left, .right, .right], flexible: 0)
    table.add(["class", "training", "test"])
    for (index, name) in packed.classes.names.enumerated() {
      table.add([name, training[index].groupedDigits, test[index].groupedDigits])
    }
    table.add(["all", packed.split.training.count.groupedDigits, packed.split.test.count.groupedDigits])
    let high =
      switch fit {
      case .ink: "ink is high"
      case .resized(_, _, _, let isInverted): isInverted ? "dark is high" : "light is high"
      }
    return "\(table.text)\n\n\(output.singleLine): \(names.joined(separator: ", "))\n"
      + "images of \(packed.shape), \(high)"
  }
}

/// The number of files that are done, on a terminal alone.
private struct Progress {
  private let count: Int
  private let isShown = Terminal.standardError.isTerminal

  init(of count: Int) {
    self.count = count
  }

  func show(_ done: Int) {
    if isShown { Terminal.writeError("\r\(done.groupedDigits) of \(count.of("file"))") }
  }

  func clear() {
    if isShown { Terminal.writeError("\r\u{1B}[K") }
  }
}
