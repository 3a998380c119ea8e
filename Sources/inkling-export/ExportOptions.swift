import Arguments
import Inference
import Programs

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

  static let model = Option<String?>(
    "model", value: "PATH", otherwise: "with --format html the digits that come with Inkling",
    help: "A run folder, of which the best checkpoint is taken, or a checkpoint; with --format html also an "
      + ".ink file.")

  enum Format: String, CaseIterable { case ink, c, html }

  static let output = Option<String>(
    "output", value: "FILE", help: "The file to write; with --format c also a header beside it.")
  static let format = Option(
    "format", value: "NAME", default: Format.ink,
    help: "The compact file; C99 source with the weights inside, without malloc or libm; or one HTML page to "
      + "draw on that reads what is drawn.")
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
      "inkling-export --format html --output draw.html",
    ])
}
