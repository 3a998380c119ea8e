import Datasets
import Tensors
import Testing

@testable import Training

@Suite struct FineTuningTests {
  private let input = ImageShape(channels: 1, height: 6, width: 6)
  private let digits = ClassTable(values: [0, 1, 2])

  private func checkpoint(_ layers: String) throws -> Checkpoint {
    let architecture = try Architecture(input: input, parsing: layers)
    return Checkpoint(model: try Model(architecture: architecture, seed: 9), classes: digits)
  }

  private func tune(_ base: Checkpoint, _ layers: String, _ classes: ClassTable) throws -> Model {
    try Model(
      fineTuning: base, as: try Architecture(input: input, parsing: layers), classes: classes,
      initialization: .he, seed: 1)
  }

  @Test func sameClassesKeepEverything() throws {
    let base = try checkpoint("conv 3x3 2, batchnorm, dense 3")
    #expect(try tune(base, "conv 3x3 2, batchnorm, dense 3", digits).values == base.model.values)
  }

  @Test func otherClassesGetANewLastLayer() throws {
    let base = try checkpoint("conv 3x3 2, batchnorm, dense 3")
    let architecture = try base.model.architecture.replacingOutput(classes: 5)
    #expect(architecture.text == "conv 3x3 2, batchnorm, dense 5")
    for (layers, classes) in [
      (architecture.text, ClassTable(values: [0, 1, 2, 3, 4])),
      ("conv 3x3 2, batchnorm, dense 3", ClassTable(values: [0, 1, 2], names: ["a", "b", "c"])),
    ] {
      let model = try tune(base, layers, classes)
      for (from, to) in zip(base.model.table.slots, model.table.slots) {
        if to.layer < 2 {
          #expect(model[to] == base.model[from])
        } else if to.name == "weight" {
          #expect(model[to] != base.model[from])
        }
      }
    }
  }

  @Test func whatDoesNotFitIsNamed() throws {
    let base = try checkpoint("conv 3x3 2, relu, dense 3")
    let wider = #expect(throws: FineTuningError.self) { try tune(base, "conv 3x3 4, relu, dense 3", digits) }
    #expect(wider?.description.contains("layer 1 (conv 3x3 4): its weight is [4, 1, 3, 3]") == true)
    let deeper = #expect(throws: FineTuningError.self) { try tune(base, "dense 4, dense 4, dense 3", digits) }
    #expect(deeper?.description.contains("leave --preset and --layers out") == true)
    #expect(throws: FineTuningError.self) {
      try checkpoint("dense 3, relu").model.architecture.replacingOutput(classes: 4)
    }
  }
}
