import Arguments
import Datasets
import PlainText
import Programs
import Reports

enum ShowCommand {
  enum Part: String, CaseIterable { case train, test }

  private static let output = Option<String>("output", value: "FILE", help: "PNG to write.")
  private static let count = Option(
    "count", value: "N", default: 12, in: 1...1000,
    help: "Images of each class, taken at even distances from all.")
  private static let part = Option("part", value: "PART", default: Part.train, help: "Which of the images.")
  private static let transpose = Flag(
    "transpose", help: "Swap height and width of each image, as EMNIST needs.")

  static let command = Command(
    "inkling-dataset show", summary: "Draws some images of each class side by side into one PNG.",
    operands: Operands(
      "DIR", count: 1...1, help: "Folder with IDX files, raw or gzip, as inkling-train takes."),
    options: [output, count, part, transpose],
    examples: ["inkling-dataset show Data/mnist-5k --output sheet.png --part test"])

  static func run(_ arguments: ParsedArguments) throws {
    let (folder, output) = (arguments.operands[0], arguments[output])
    let data = try DatasetSource(folder: folder, transpose: arguments[transpose])
      .load(arguments[part] == .train ? .training : .test)
    let sheet = ContactSheet(data, count: arguments[count])
    guard let picture = sheet.picture else {
      throw command.usageError(
        "--count \(arguments[count]) of \(data.classes.count.groupedDigits) classes makes too large a picture"
      )
    }
    try AtomicFile.write(picture.png(), to: output)
    print(
      "\(output.singleLine): \(sheet.imageCount.of("image")) of \(data.classes.countInWords), "
        + "\(picture.width)×\(picture.height) pixels")
  }
}
