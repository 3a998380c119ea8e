import Arguments
import Inference
import Interchange
import Programs
import Tensors

enum ExportOptions {
  enum Format: String, CaseIterable { case ink, c, html, coreml, onnx, safetensors }

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

  enum Alignment: String, CaseIterable {
    case one = "1", two = "2", four = "4", eight = "8", sixteen = "16", thirtyTwo = "32", sixtyFour = "64"
  }

  enum Pictures: String, CaseIterable { case ink, resized }

  enum Opset: String, CaseIterable {
    case current = "21", old = "13"

    var opset: ONNXOptions.Opset {
      switch self {
      case .current: .opset21
      case .old: .opset13
      }
    }
  }

  enum Optimizer: String, CaseIterable {
    case sgd, adam

    var optimizer: CoreMLOptions.Optimizer {
      switch self {
      case .sgd: .sgd()
      case .adam: .adam()
      }
    }
  }

  // Where the network comes from.
  static let model = Option<String?>(
    "model", value: "PATH", otherwise: "with --format html the digits that come with Inkling",
    help: "A run folder, of which the best checkpoint is taken, or a checkpoint; with --format html also an "
      + ".ink file.")
  static let from = Option<String?>(
    "from", value: "FILE",
    help: "Instead of --model what others trained: an ONNX file with a chain of layers, or weights as "
      + "safetensors or .npz.")
  static let layers = Option<String?>(
    "layers", value: "TEXT", otherwise: "what the file says, if Inkling wrote it",
    help:
      "With weights --from a file, the network that they are of: \"conv 3x3 32, relu, maxpool 2, dense 10\".")
  static let imageShape = Option<[Int]>(
    "image-shape", value: "C,H,W", default: [1, 28, 28], eachIn: 1...65_535,
    help: "With weights --from a file, the images that the network takes: channels, height, width.")
  static let scale = Option<Float?>(
    "scale", value: "X", in: Above(0),
    otherwise: "1/255, or 1 where the file takes bytes or scales them itself",
    help: "With --from, what a pixel of 0 to 255 is multiplied by first.")
  static let mean = Option<[Float]?>(
    "mean", value: "X,...", eachIn: -1000...1000,
    help: "With --from, what is subtracted then, for all channels or for each.")
  static let deviation = Option<[Float]?>(
    "std", value: "X,...", eachIn: Above(0), help: "With --from, what that is divided by.")
  static let classNames = Option<String?>(
    "labels", value: "NAMES", otherwise: "0, 1, 2, …",
    help: "With --from, the class names: a list such as cat,dog, or a file with one name a line.")

  // The file.
  static let output = Option<String>(
    "output", value: "FILE", help: "The file to write; with --format c also a header beside it.")
  static let format = Option(
    "format", value: "NAME", default: Format.ink,
    help: "The compact file; C99 source with the weights inside, without malloc or libm; one HTML page to "
      + "draw on that reads what is drawn; or a file for Xcode (.mlmodel), ONNX Runtime, or PyTorch.")
  static let weights = Option<Weights?>(
    "weights", value: "TYPE", otherwise: "f16, but f32 for coreml, onnx and safetensors",
    help: "How weights are stored.")
  static let calibrate = Option<String?>(
    "calibrate", value: "DIR",
    help: "Compute with whole numbers, calibrated on 500 training images of this folder; for int8 and int4.")
  static let refuse = Option<Double?>(
    "refuse", value: "SHARE", in: 0...0.5,
    help: "Let the file say of an image that it shows none of the classes, at the price of this share of "
      + "those set aside in training, such as 0.004; also fits the temperature by them. Best trained with --outliers."
  )
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

  // What files for other systems say besides.
  static let inputName = Option<String?>(
    "input-name", value: "NAME", otherwise: "image; drawing if updatable", help: "What the input is called.")
  static let labelName = Option<String?>(
    "label-name", value: "NAME", otherwise: "classLabel for coreml, label if updatable and for onnx",
    help: "What the most probable class is called.")
  static let probabilitiesName = Option<String?>(
    "probabilities-name", value: "NAME",
    otherwise: "labelProbabilities for coreml, labelProbs if updatable, probabilities for onnx",
    help: "What the classes' probabilities are called.")
  static let author = Option<String?>("author", value: "NAME", help: "Who made the model.")
  static let license = Option<String?>("license", value: "TEXT", help: "Under which terms it may be used.")
  static let description = Option<String?>(
    "description", value: "TEXT", otherwise: "the classes", help: "What it is for.")
  static let updatable = Flag(
    "updatable", help: "With coreml: let a device train the last dense layers further (MLUpdateTask).")
  static let updateOptimizer = Option(
    "update-optimizer", value: "NAME", default: Optimizer.sgd,
    help: "With --updatable: how it trains, for 10 epochs unless the app says otherwise.")
  static let updatableNeighbors = Flag(
    "updatable-knn",
    help: "With coreml: let a device learn new classes from examples, by their nearest neighbours.")
  static let onnxOpset = Option(
    "onnx-opset", value: "N", default: Opset.current,
    help: "With onnx: the version of its operators; 13 is for old runtimes.")
  static let onnxInput = Option(
    "onnx-input", value: "TYPE", default: ONNXOptions.Input.uint8,
    help: "With onnx: the type of the input, 0 to 255 in any case.")

  // The report.
  static let data = DataOptions(.test)
  static let verify = Flag(
    "verify",
    help: "Read the file back and compare what it computes with the source, before it is put in place.")
  static let verifyImages = Option(
    "verify-images", value: "N", default: 1000, in: 1...Int.max, help: "Images to do that with.")
  static let json = Flag("json", help: "Print the report as one JSON object instead of text.")

  static let command = Command(
    "inkling-export", summary: "Writes a trained model as a file for use, and says what that cost.",
    sections: [
      .init("Model", [model, from, layers, imageShape, scale, mean, deviation, classNames]),
      .init("File", [output, format, weights, calibrate, refuse, pictures, lowRank, align]),
      .init(
        "Files for other systems",
        [
          inputName, labelName, probabilitiesName, author, license, description, updatable,
          updateOptimizer, updatableNeighbors, onnxOpset, onnxInput,
        ]),
      .init("Images to judge by: the run's own, unless named", data.list),
      .init("Report", [verify, verifyImages, json, threadsOption]),
    ],
    examples: [
      "inkling-export --model runs/lenet5 --output lenet5.ink --weights int8 --calibrate Data/mnist",
      "inkling-export --model runs/lenet5 --output digits.c --format c --weights int8",
      "inkling-export --model runs/lenet5 --output Digits.mlmodel --format coreml --verify",
      "inkling-export --from mnist.onnx --output mnist.ink --data Data/mnist",
      "inkling-export --format html --output draw.html",
    ])

  /// The formats that each option which is not for all means something for.
  private static let formats: [(option: any CommandOption, formats: Set<Format>)] = [
    (calibrate, [.ink, .c, .html, .onnx]), (refuse, [.ink, .c, .html, .coreml, .onnx]),
    (lowRank, [.ink, .c, .html, .coreml, .onnx]), (align, [.ink, .html]), (pictures, [.ink, .html, .onnx]),
    (inputName, [.coreml, .onnx]), (labelName, [.coreml, .onnx]), (probabilitiesName, [.coreml, .onnx]),
    (author, [.coreml, .onnx, .safetensors]), (license, [.coreml, .onnx, .safetensors]),
    (description, [.coreml, .onnx, .safetensors]), (updatable, [.coreml]), (updatableNeighbors, [.coreml]),
    (onnxOpset, [.onnx]), (onnxInput, [.onnx]),
  ]

  /// Throws a `UsageError` for options that do not go together, before minutes of work.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    let format = arguments[format]
    for (option, formats) in formats
    where arguments.givenNames.contains(option.name) && !formats.contains(format) {
      let names = Format.allCases.filter(formats.contains).map(\.rawValue)
      throw command.usageError(
        "--\(option.name) means nothing with --format \(format.rawValue): it is for \(names.joined(separator: ", "))"
      )
    }
    let weights = weights(arguments)
    if arguments[calibrate] != nil, weights == .float32 || weights == .float16 {
      throw command.usageError("--calibrate goes with --weights int8 or int4: floats need none")
    }
    if format == .safetensors, weights != .float32, weights != .float16 {
      throw command.usageError("--format safetensors holds f32 or f16; leave --weights out for f32")
    }
    if arguments[updatable], arguments[updatableNeighbors] {
      throw command.usageError("--updatable and --updatable-knn are two kinds of model; give one of them")
    }
    if arguments.givenNames.contains(updateOptimizer.name), !arguments[updatable] {
      throw command.usageError("--update-optimizer goes with --updatable")
    }
    if arguments[updatable], weights != .float32 {
      throw command.usageError("--updatable needs --weights f32: Core ML trains no others")
    }
    let foreign: [any CommandOption] = [layers, imageShape, scale, mean, deviation, classNames]
    if arguments[from] == nil, let option = foreign.first(where: { arguments.givenNames.contains($0.name) }) {
      throw command.usageError("--\(option.name) goes with --from: a run knows what it was trained with")
    }
    if arguments[from] != nil, arguments[model] != nil {
      throw command.usageError("--model and --from each name a network; give one of them")
    }
  }

  static func weights(_ arguments: ParsedArguments) -> TensorType {
    if let weights = arguments[weights] { return weights.type }
    return [.coreml, .onnx, .safetensors].contains(arguments[format]) ? .float32 : .float16
  }
}
