import Datasets
import PlainText
import Training

extension FileKind {
  static let checkpoint = FileKind(
    name: "a checkpoint", recognizes: { $0.starts(with: Checkpoint.magic) },
    describe: { path throws(FileError) in
      FileDescription(try Checkpoint(contentsOf: path), try FileReader(path: path).readAll())
    })
}

extension FileDescription {
  /// Describes a checkpoint that was read from `bytes`, and so found whole.
  init(_ checkpoint: Checkpoint, _ bytes: [UInt8]) {
    self.init(kind: "checkpoint")
    let architecture = checkpoint.model.architecture
    let checksum = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }.hexadecimal
    add("version", .count(Int(Checkpoint.version)), "format", "version \(Checkpoint.version)")
    add(
      "byteCount", .count(bytes.count), "file",
      "\(bytes.count.groupedDigits) bytes, CRC-32 \(checksum), right")
    add("checksum", .text(checksum))
    add(
      "input", .list(architecture.input.extents.map(FactValue.count)), "input",
      "\(architecture.input.extents.map(String.init).joined(separator: "×")) (channels, height, width)")
    let count = architecture.parameterCount
    add(
      "parameterCount", .count(count), "weights",
      "\(count.of("parameter")), \((4 * count).groupedDigits) bytes")
    add("weightsByteCount", .count(4 * count))
    add(
      "multiplyAdds", .count(architecture.multiplyAdds), "work",
      "\(architecture.multiplyAdds.groupedDigits) multiply-adds (MACs) for one image")
    add("layers", .list(architecture.rows.map(Self.layer)))
    addClasses(names: checkpoint.classes.names, values: checkpoint.classes.values)
    describeTraining(checkpoint)
    table = architecture.summary
  }

  private static func layer(_ row: Architecture.Row) -> FactValue {
    .object([
      "layer": .text(row.layer), "output": .list(row.output.extents.map(FactValue.count)),
      "parameterCount": .count(row.parameters), "multiplyAdds": .count(row.multiplyAdds),
    ])
  }

  private mutating func describeTraining(_ checkpoint: Checkpoint) {
    let configuration = checkpoint.configuration
    let canResume = configuration.map { checkpoint.holdsTrainingState(of: $0) } ?? false
    let parts =
      ["weights"] + (checkpoint.optimizerState.isEmpty ? [] : ["optimizer state"])
      + (checkpoint.average.isEmpty ? [] : ["moving average"])
    add(
      "holds", .list(parts.map(FactValue.text)), "holds",
      parts.joined(separator: ", ")
        + (canResume ? ": training can go on" : ", without what training needs to go on"))
    add("isResumable", .flag(canResume))
    if let progress = checkpoint.progress {
      let epochs = configuration.map { " of \($0.epochs.of("epoch"))" } ?? ""
      add(
        "epoch", .count(progress.epoch), "trained",
        "\(progress.epoch.groupedDigits)\(epochs), "
          + "\(progress.step.of("step"))")
      add("step", .count(progress.step))
      if let best = progress.bestAccuracy, let epoch = progress.bestEpoch,
        let images = configuration?.validationCount
      {
        add(
          "bestValidationAccuracy", .number(best), "best so far",
          "\(best.percent(images: images)) of \(images.groupedDigits) validation images, epoch \(epoch.groupedDigits)"
        )
        add("bestEpoch", .count(epoch))
      }
    }
    if let data = configuration?.data {
      let place = data.folder ?? "\(data.images ?? "") and \(data.labels ?? "")"
      let turned = data.transpose ? ", transposed" : ""
      add("data", .text(place), "data", "\(place)\(turned)")
      if let checksum = checkpoint.dataChecksum?.hexadecimal {
        add("dataChecksum", .text(checksum), "data CRC-32", "\(checksum) (of images and labels)")
      }
      add("isTransposed", .flag(data.transpose))
    }
    if let configuration {
      add("configuration", .record(configuration))
      for fact in configuration.facts where fact.name != "epochs" { addLine(fact.name, fact.value) }
    }
    let numerics = checkpoint.numerics
    add(
      "kernels", numerics.kernels.map(FactValue.text) ?? .none, "computed with",
      "\(numerics.kernels ?? "no") kernels, BLAS for \(numerics.blasCore)")
    add("blasCore", .text(numerics.blasCore))
  }
}
