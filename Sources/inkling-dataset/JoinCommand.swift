import Arguments
import Datasets
import PlainText
import Programs

enum JoinCommand {
  enum Fit: String, CaseIterable { case none, ink }

  private static let output = Option<String>(
    "output", value: "DIR", help: "Folder to make; it may not hold anything yet.")
  private static let take = Option<Int?>(
    "take", value: "N", in: 1...Int.max, otherwise: "all",
    help: "Images to take of each part of each data set, at even distances.")
  private static let fit = Option(
    "fit", value: "HOW", default: Fit.none,
    help: "\"ink\" cuts out what each image shows, centres it in 28x28 and makes ink high, as in MNIST.")
  private static let gzip = Flag("gzip", help: "Compress the files.")

  static let command = Command(
    "inkling-dataset join",
    summary: "Puts data sets together: training with training, test with test; or takes a part of one.",
    operands: Operands(
      "DIR", count: 1...Int.max, help: "Folder with IDX files, raw or gzip, as inkling-train takes."),
    options: [output, take, fit, gzip],
    examples: [
      "inkling-dataset join Data/mnist packed --output joined",
      "inkling-dataset join Data/fashion-mnist --take 1000 --fit ink --output clothing",
    ])

  static func run(_ arguments: ParsedArguments) throws {
    let output = arguments[output]
    // Before the images are read.
    try AtomicFolder.requireFree(output)
    let joined = try JoinedDataset(
      folders: arguments.operands, limit: arguments[take], fitsInk: arguments[fit] == .ink)
    let names = try joined.write(to: output, gzip: arguments[gzip])
    print(
      "\(output.singleLine): \(names.joined(separator: ", "))\n\(joined.counts[0].of("image")) for training, "
        + "\(joined.counts[1].groupedDigits) for test, of \(joined.shape), \(joined.classes.countInWords)")
    if joined.leftOutCount > 0 { print("\(joined.leftOutCount.of("image")) without ink left out") }
  }
}
