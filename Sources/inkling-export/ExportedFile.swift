import Arguments
import Datasets
import Interchange
import PlainText
import Programs
import Training

/// The bytes that an export writes: one file, with a header beside it where it is C.
struct ExportedFile {
  let format: ExportOptions.Format
  let bytes: [UInt8]
  private(set) var header: Header?

  /// What lies beside C source.
  struct Header {
    let text: String
    /// The path of both files but for their extension.
    let stem: String
    /// What the names of functions begin with.
    let prefix: String

    /// The name of both files but for their extension.
    var name: String { stem.split(separator: "/").last.map(String.init) ?? "" }
  }

  private typealias Options = ExportOptions

  /// - Parameters:
  ///   - result: the network as it is to be stored.
  ///   - accuracy: of it on images that were not trained on, in words.
  init(
    _ result: InkExport.Result, of subject: ExportSubject, accuracy: String?, _ arguments: ParsedArguments
  ) throws {
    format = arguments[Options.format]
    let notes = Self.notes(subject, accuracy: accuracy, arguments)
    do {
      switch format {
      case .ink: bytes = result.bytes
      case .html: bytes = try Self.page(result.bytes, of: subject.path)
      case .c:
        let stem = try Self.sourceStem(arguments[Options.output])
        let name = stem.split(separator: "/").last.map(String.init) ?? ""
        let source = try CSource(result.network, tensors: result.tensors, name: name)
        bytes = Array(source.source.utf8)
        header = Header(text: source.header, stem: stem, prefix: source.prefix)
      case .coreml:
        bytes = try CoreMLModel(
          result.network, tensors: result.tensors, options: Self.coreML(arguments), notes: notes
        ).bytes
      case .onnx:
        bytes = try ONNXModel(
          result.network, tensors: result.tensors, options: Self.onnx(arguments), notes: notes
        ).bytes
      case .safetensors:
        guard let checkpoint = subject.checkpoint else {
          throw MisfitError(
            "\(subject.path): expected layers, which safetensors holds the weights of, found an ONNX file; "
              + "train the network here, or export it as ink")
        }
        bytes = try SafetensorsModel(
          checkpoint, storage: Options.weights(arguments) == .float16 ? .float16 : .float32, notes: notes
        ).bytes
      }
    } catch let error as InterchangeError {
      throw MisfitError("\(subject.path): \(error)", details: error.details)
    }
  }

  /// Puts the file in place, and its header before it.
  func write(to path: String) throws {
    if let header { try AtomicFile.write(Array(header.text.utf8), to: header.stem + ".h") }
    try AtomicFile.write(bytes, to: path)
  }

  /// The bytes of the page to draw on with the bytes of an `.ink` file.
  static func page(_ model: [UInt8], of path: String) throws -> [UInt8] {
    do {
      return Array(try WebPage(model: model).text.utf8)
    } catch let error as WebPageError {
      throw MisfitError("\(path): \(error)")
    }
  }

  /// The output's path without `.c`; its file name goes into the text of the source.
  static func sourceStem(_ path: String) throws -> String {
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

  private static func coreML(_ arguments: ParsedArguments) -> CoreMLOptions {
    let update = CoreMLOptions.Update(optimizer: arguments[Options.updateOptimizer].optimizer)
    let kind: CoreMLOptions.Kind =
      arguments[Options.updatable]
      ? .updatable(update) : arguments[Options.updatableNeighbors] ? .updatableNeighbors() : .plain
    var options = CoreMLOptions(kind: kind)
    options.names.input = arguments[Options.inputName] ?? options.names.input
    options.names.label = arguments[Options.labelName] ?? options.names.label
    options.names.probabilities = arguments[Options.probabilitiesName] ?? options.names.probabilities
    return options
  }

  private static func onnx(_ arguments: ParsedArguments) -> ONNXOptions {
    var options = ONNXOptions(input: arguments[Options.onnxInput], opset: arguments[Options.onnxOpset].opset)
    options.imageName = arguments[Options.inputName] ?? options.imageName
    options.labelName = arguments[Options.labelName] ?? options.labelName
    options.probabilitiesName = arguments[Options.probabilitiesName] ?? options.probabilitiesName
    return options
  }

  private static func notes(
    _ subject: ExportSubject, accuracy: String?, _ arguments: ParsedArguments
  ) -> ModelNotes {
    let names = subject.classes.names
    let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    var facts = subject.source.metadata.map { (name: $0.key, value: $0.value) }
    if let accuracy { facts.append((name: "accuracy", value: accuracy)) }
    let classes = "\(names.count.groupedDigits) classes apart: \(shown)"
    let summary =
      arguments[Options.updatableNeighbors]
      ? "Learns classes from examples, by what tells \(classes)" : "Tells \(classes)"
    return ModelNotes(
      author: arguments[Options.author] ?? "", license: arguments[Options.license] ?? "",
      summary: arguments[Options.description] ?? summary, facts: facts)
  }
}
