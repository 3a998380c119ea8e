import Datasets
import Foundation
import Tensors
import Testing

@testable import Training

@Suite struct CheckpointFileTests {
  private let path = NSTemporaryDirectory() + "inkling-\(UUID().uuidString).ckpt"

  private func sample() throws -> Checkpoint {
    let architecture = try Architecture(
      input: ImageShape(channels: 1, height: 4, width: 4), parsing: "conv 3x3 2, batchnorm, dense 2")
    let model = try Model(architecture: architecture, seed: 3)
    var checkpoint = Checkpoint(model: model, classes: ClassTable(values: [3, 7], names: ["drei", "七"]))
    checkpoint.configuration = TrainingConfiguration(
      layers: architecture.text, data: DataLocation(folder: "some/where"),
      optimizer: OptimizerSettings(rule: .sgd(momentum: 0.9, nesterov: true), weightDecay: 0.1),
      schedule: Schedule(.step(epochs: 2, factor: 0.5), learningRate: 0.1), averageDecay: 0.99,
      augmentation: .standard, patience: 2, seed: .max)
    checkpoint.progress = TrainingProgress()
    checkpoint.progress?.step = 17
    checkpoint.optimizerState = (0..<model.table.trainableCount).map { Float($0) }
    checkpoint.average = model.values.map { 2 * $0 }
    checkpoint.dataChecksum = 0xDEAD_BEEF
    return checkpoint
  }

  @Test func everythingComesBack() throws {
    let written = try sample()
    try written.write(to: path)
    defer { unlink(path) }
    let read = try Checkpoint(contentsOf: path)
    #expect(read.model.architecture == written.model.architecture)
    #expect(read.model.values == written.model.values)
    #expect(read.optimizerState == written.optimizerState && read.average == written.average)
    #expect(read.classes == written.classes && read.configuration == written.configuration)
    #expect(read.progress == written.progress && read.dataChecksum == written.dataChecksum)
    #expect(read.deployed.values == written.average)
    #expect(read.numericsWarning == nil)
  }

  @Test func otherKernelsAreWarnedOf() throws {
    var written = try sample()
    written.numerics.kernels = "others"
    try written.write(to: path)
    defer { unlink(path) }
    let warning = try #require(try Checkpoint(contentsOf: path).numericsWarning)
    #expect(warning.contains("kernels others") && warning.contains(KernelSet.current.name))
  }

  @Test func everyPrefixAndEveryChangedByteIsAnError() throws {
    try sample().write(to: path)
    defer { unlink(path) }
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    func expectError(_ bytes: Data) throws {
      try bytes.write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: FileError.self) { try Checkpoint(contentsOf: path) }
      #expect(error?.kind == .malformed && error?.path == path)
    }
    for count in stride(from: 0, to: content.count, by: 13) { try expectError(content.prefix(count)) }
    for index in stride(from: 0, to: content.count, by: 7) {
      var changed = content
      changed[index] ^= 0x20
      try expectError(changed)
    }
    try expectError(content + [0])
  }

  @Test func aRightChecksumDoesNotExcuseWrongCounts() throws {
    var broken = try sample()
    broken.optimizerState.removeLast()
    try broken.write(to: path)
    defer { unlink(path) }
    let error = #expect(throws: FileError.self) { try Checkpoint(contentsOf: path) }
    #expect(error?.expected.contains("values for conv 3x3 2") == true)
  }

  @Test func impossibleSettingsAreRefused() throws {
    defer { unlink(path) }
    for change in [
      { $0.batchSize = 0 }, { $0.validationCount = -1 }, { $0.schedule.warmUpEpochs = 1e30 },
      { $0.epochs = .max },
    ] as [(inout TrainingConfiguration) -> Void] {
      var checkpoint = try sample()
      guard var configuration = checkpoint.configuration else { return }
      change(&configuration)
      checkpoint.configuration = configuration
      try checkpoint.write(to: path)
      #expect(throws: FileError.self) { try Checkpoint(contentsOf: path) }
    }
  }

  @Test func anUnwritablePlaceLeavesNothing() throws {
    let error = #expect(throws: FileError.self) { try sample().write(to: path + "/missing/x.ckpt") }
    #expect(error?.kind == .unwritable)
  }
}
