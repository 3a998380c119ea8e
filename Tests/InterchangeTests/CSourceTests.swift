import Datasets
import Foundation
import HostInference
import SampleNetworks
import Testing
import Training

@testable import Interchange

/// The C source computes what the runtime computes, whatever compiler makes a program of it.
struct CSourceTests {
  typealias Prediction = CompiledNetwork.Prediction

  /// A network as it is exported: with weights of one type, and with whole-number arithmetic or without.
  struct Export: CustomTestStringConvertible, Sendable {
    var weights: TensorType
    var isWhole = false

    var testDescription: String { isWhole ? "\(weights), whole numbers" : "\(weights)" }

    static let all =
      TensorType.allCases.map { Export(weights: $0) }
      + [Export(weights: .int8, isWhole: true), Export(weights: .int4, isWhole: true)]

    func network(_ lowered: LoweredNetwork, calibratedOn images: Dataset) -> LoweredNetwork {
      isWhole ? lowered.withWholeNumbers(calibratedOn: images) : lowered
    }

    func tensors(_ network: LoweredNetwork) -> [QuantizedMatrix] {
      network.tensors.map { QuantizedMatrix($0, as: $0.isWeight ? weights : .float32) }
    }
  }

  /// What the plain loops of the runtime predict.
  private func predictions(_ network: LoweredNetwork, _ tensors: [QuantizedMatrix], _ images: Dataset) throws
    -> [Prediction]
  {
    let network = try Network(copying: InkWriter(network, tensors: tensors).bytes)
    return try (0..<images.count).map { image in
      let count = images.shape.count
      let prediction = try network.predict(Array(images.pixels[image * count..<(image + 1) * count]))
      return Prediction(classIndex: prediction.classIndex, probabilities: prediction.probabilities)
    }
  }

  /// The same bits: the operations are the same, in the same order.
  private func expectAgreement(
    _ lowered: LoweredNetwork, _ export: Export, _ images: Dataset,
    options: [String] = CompiledNetwork.strict,
    compilers: [CCompiler] = CCompiler.all
  ) throws {
    try #require(!compilers.isEmpty)
    let network = export.network(lowered, calibratedOn: images)
    let tensors = export.tensors(network)
    let expected = try predictions(network, tensors, images)
    let source = try CSource(network, tensors: tensors, name: "sample")
    for compiler in compilers {
      let compiled = try CompiledNetwork(
        source, name: "sample", classCount: lowered.labels.count, compiler, options: options)
      let (found, labels) = try compiled.run(images.pixels, count: images.count)
      #expect(found == expected, "\(compiler)")
      #expect(labels == lowered.labels.map { "\($0)\n" }.joined(), "\(compiler)")
    }
  }

  @Test(arguments: SampleNetwork.all, Export.all)
  func everyOperationGivesTheBitsOfTheRuntime(sample: SampleNetwork, export: Export) throws {
    try expectAgreement(
      try sample.checkpoint().lowered(), export, sample.images(20), compilers: Array(CCompiler.all.prefix(1)))
  }

  /// Reads and writes stay within the arrays, and nothing is done that C leaves undefined.
  @Test(arguments: SampleNetwork.all) func sanitizersFindNothing(sample: SampleNetwork) throws {
    let options =
      CompiledNetwork.strict + ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    for export in [Export(weights: .float16), Export(weights: .int4, isWhole: true)] {
      try expectAgreement(
        try sample.checkpoint().lowered(), export, sample.images(3), options: options,
        compilers: Array(CCompiler.all.suffix(1)))
    }
  }

  @Test(arguments: Export.all) func theDigitsAreToldApartAsByTheRuntime(export: Export) throws {
    let images = try shippedDigits()
    try expectAgreement(try lenet5(images).lowered(), export, images)
  }

  /// With instructions that fuse multiplication and addition, and a dialect in which gcc uses them unasked.
  @Test func anyOptionsGiveTheSameBits() throws {
    let images = try shippedDigits()
    try expectAgreement(
      try lenet5(images).lowered(), Export(weights: .float32), images,
      options: ["-std=gnu11", "-O3", "-march=native"])
  }

  /// A program sees the three functions and nothing else, and nothing else of the library is asked for.
  @Test(arguments: SampleNetwork.all, Export.all)
  func onlyTheThreeFunctionsAreVisible(sample: SampleNetwork, export: Export) throws {
    let network = export.network(try sample.checkpoint().lowered(), calibratedOn: sample.images(5))
    let source = try CSource(network, tensors: export.tensors(network), name: "sample")
    let lines = source.source.split(separator: "\n")
    #expect(lines.allSatisfy { $0.utf8.count < 100 })
    #expect(lines.filter { $0.contains("#include") } == ["#include \"sample.h\""])
    // Definitions start at the margin; comments and what belongs to the preprocessor do not begin with a letter.
    let visible = lines.filter { line in
      line.first?.isLetter ?? false && !["static ", "struct ", "enum "].contains { line.hasPrefix($0) }
    }
    #expect(
      visible == [
        "int sample_predict_with(", "int sample_predict(const uint8_t *pixels, float *probabilities) {",
        "const char *sample_label(int index) {",
      ])
  }

  @Test func namesOfClassesAndFilesAreKept() throws {
    var network = try SampleNetwork.all[0].checkpoint().lowered()
    network.labels = [
      "\"\\", "what??/", "größer\u{7}0", String(repeating: "数", count: 85),
      String(repeating: "b", count: 255),
    ]
    network.labelValues = [-3, 0, 5, 6, 70_000]
    let source = try CSource(network, tensors: Export(weights: .int8).tensors(network), name: "2 new-digits")
    #expect(source.prefix == "network_2_new_digits")
    for text in [source.header, source.source] {
      #expect(text.split(separator: "\n").filter { $0.utf8.count >= 100 } == [])
    }
    let images = SampleNetwork.all[0].images(1)
    for compiler in CCompiler.all {
      let compiled = try CompiledNetwork(source, name: "2 new-digits", classCount: 5, compiler)
      let (_, labels) = try compiled.run(images.pixels, count: 1)
      #expect(labels == network.labels.map { "\($0)\n" }.joined(), "\(compiler)")
    }
  }

  private func lenet5(_ images: Dataset) throws -> Checkpoint {
    let architecture = try Architecture(
      input: images.shape, parsing: Preset.lenet5.text(classes: images.classes.count))
    return Checkpoint(model: try Model(architecture: architecture, seed: 3), classes: images.classes)
  }

  private func shippedDigits() throws -> Dataset {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let digits = try DatasetSource(folder: root.appendingPathComponent("Data/mnist-5k").path).load(.test)
    try #require(digits.count == 1_000)
    return digits
  }
}
