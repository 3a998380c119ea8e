import Datasets
import Inference
import Interchange
import Programs
import Training

/// Reads what was written as its users will, and runs it.
struct ReadBack {
  let file: ExportedFile
  let subject: ExportSubject
  let threads: Int

  /// What the file says of some images; nil for a format that nothing here reads.
  func predictions(for data: Dataset) throws -> Predictions? {
    switch file.format {
    case .ink:
      try Predictions(of: Network(copying: file.bytes).preparedForHost(), for: data, threads: threads)
    case .onnx:
      try Predictions(
        of: Network(copying: ONNXNetwork(bytes: file.bytes, name: "the ONNX file").inkAsWritten)
          .preparedForHost(),
        for: data, threads: threads)
    case .safetensors: try safetensors(data)
    case .c: try file.header.map { try CompiledSource(file.bytes, header: $0).predictions(for: data) }
    case .coreml, .html: nil
    }
  }

  /// The weights of the file in place of those that it was made from.
  private func safetensors(_ data: Dataset) throws -> Predictions {
    let weights = try WeightFile(bytes: file.bytes, path: "the safetensors file")
    guard let architecture = try weights.architecture() else {
      throw MisfitError("the safetensors file: expected its layers in the metadata, found none")
    }
    let model = try Model(architecture: architecture, weights: weights)
    let network = try Checkpoint(model: model, classes: subject.classes).lowered()
    return try ExportSource(network).predictions(for: data, threads: threads)
  }
}
