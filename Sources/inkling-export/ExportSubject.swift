import Arguments
import Datasets
import Interchange
import Programs
import Tensors
import Training

/// What is exported: a model that was trained here, or what others trained.
struct ExportSubject {
  /// Where it lies.
  let path: String
  var source: ExportSource
  let classes: ClassTable
  /// The images it takes.
  let shape: ImageShape
  /// The layers, where they are known; for a model that was trained here with how.
  let checkpoint: Checkpoint?
  /// Lines about how a file was understood.
  private(set) var remarks: [String] = []

  private typealias Options = ExportOptions

  /// Reads what --model or --from names.
  init(_ arguments: ParsedArguments) throws {
    if let path = arguments[Options.from] {
      self = try Self.isWeights(path) ? Self(weights: path, arguments) : Self(onnx: path, arguments)
      return
    }
    guard let model = arguments[Options.model] else {
      throw Options.command.usageError("--model: expected PATH, but it is not given")
    }
    path = try RunFolder.modelPath(model)
    let checkpoint = try Checkpoint(contentsOf: path)
    self.checkpoint = checkpoint
    source = try ExportSource(checkpoint)
    classes = checkpoint.classes
    shape = checkpoint.model.architecture.input
  }

  private static func isWeights(_ path: String) throws -> Bool {
    try WeightFile.isWeightFile(path) || path.hasSuffix(".safetensors") || path.hasSuffix(".npz")
  }

  private init(onnx path: String, _ arguments: ParsedArguments) throws {
    if let option = [Options.layers.name, Options.imageShape.name].first(where: arguments.givenNames.contains)
    {
      throw Options.command.usageError("--\(option) goes with weights: an ONNX file says it itself")
    }
    let model = try ONNXNetwork(contentsOf: path, pixelScale: arguments[Options.scale])
    var network = model.network
    try Self.normalize(&network, arguments)
    self.path = path
    classes = try Self.classes(
      arguments, known: ClassTable(values: network.labelValues, names: network.labels))
    (network.labels, network.labelValues) = (classes.names, classes.values)
    let extent = network.input.extent
    shape = ImageShape(channels: extent.channels, height: extent.height, width: extent.width)
    source = ExportSource(network, metadata: [("source", "ONNX")])
    checkpoint = nil
    let scale =
      model.pixelScale == 1 ? "" : model.pixelScale == 1 / 255 ? " / 255" : " times \(model.pixelScale)"
    remarks = ["pixels    of 0 to 255\(scale) are what the file takes"]
    if model.declaresBytes {
      remarks.append("          (its metadata say 0 to 255 as they are: --scale 1)")
    }
    if model.roundsValues {
      remarks.append(
        "bytes     between its layers become floats (--weights int8 --calibrate makes them bytes again)")
    }
  }

  private init(weights path: String, _ arguments: ParsedArguments) throws {
    let file = try WeightFile(contentsOf: path)
    let architecture: Architecture
    if let text = arguments[Options.layers] {
      let sides = arguments[Options.imageShape]
      guard sides.count == 3 else {
        throw Options.command.usageError("--image-shape: expected channels, height and width such as 1,28,28")
      }
      architecture = try Architecture(
        input: ImageShape(channels: sides[0], height: sides[1], width: sides[2]), parsing: text)
    } else if let own = try file.architecture() {
      architecture = own
    } else {
      throw Options.command.usageError(
        "--from \(path): expected --layers, the network that the weights are of, but it is not given")
    }
    self.path = path
    let count = architecture.output.count
    let names = file.classNames.flatMap { $0.count == count ? $0 : nil }
    classes = try Self.classes(arguments, known: ClassTable(values: Array(0..<count), names: names))
    shape = architecture.input
    // Safetensors say nothing of pixels, which are from 0 to 1 for all that read them: the weights have to know.
    let isFolded = arguments[Options.format] == .safetensors
    let model = try Model(
      architecture: architecture, weights: file,
      normalization: isFolded ? Self.normalizationOfUnitPixels(arguments) : nil)
    let checkpoint = Checkpoint(model: model, classes: classes)
    self.checkpoint = checkpoint
    var network = try checkpoint.lowered()
    if !isFolded {
      if let scale = arguments[Options.scale] { network.input.scale = scale }
      try Self.normalize(&network, arguments)
    }
    source = ExportSource(network, metadata: [("layers", model.architecture.text)])
  }

  /// What --scale, --mean and --std together do to pixels that are from 0 to 1 already; nil for nothing.
  private static func normalizationOfUnitPixels(_ arguments: ParsedArguments) -> InputNormalization? {
    let (scale, mean, deviation) = (
      arguments[Options.scale], arguments[Options.mean], arguments[Options.deviation]
    )
    guard scale != nil || mean != nil || deviation != nil else { return nil }
    let factor = scale.map { 255 * $0 } ?? 1
    return InputNormalization(
      mean: (mean ?? [0]).map { $0 / factor }, deviation: (deviation ?? [1]).map { $0 / factor })
  }

  private static func normalize(_ network: inout LoweredNetwork, _ arguments: ParsedArguments) throws {
    let (mean, deviation) = (arguments[Options.mean], arguments[Options.deviation])
    guard mean != nil || deviation != nil else { return }
    network = try network.taking(
      normalizedBy: InputNormalization(mean: mean ?? [0], deviation: deviation ?? [1]))
  }

  private static func classes(_ arguments: ParsedArguments, known: ClassTable) throws -> ClassTable {
    guard let argument = arguments[Options.classNames] else { return known }
    return try ClassNames(argument: argument).table(of: known.values, labelsPath: "the network")
  }

  /// Throws a `MisfitError` unless the images are of the kind that the model takes.
  func requireFit(_ data: Dataset) throws(MisfitError) {
    guard data.shape == shape else {
      throw MisfitError(
        "\(data.source): expected images of \(shape) as the model takes them, "
          + "found \(data.shape); name data of the same kind")
    }
  }
}
