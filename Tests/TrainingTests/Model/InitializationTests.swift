import Tensors
import Testing

@testable import Training

@Suite struct InitializationTests {
  private func model(_ initialization: Initialization, seed: UInt64 = 1) throws -> Model {
    let architecture = try Architecture(
      input: ImageShape(channels: 1, height: 28, width: 28),
      parsing: "conv 5x5 32, batchnorm, relu, dense 100")
    return try Model(architecture: architecture, initialization: initialization, seed: seed)
  }

  @Test(arguments: Initialization.allCases)
  func onlyWeightsAreDrawn(initialization: Initialization) throws {
    let model = try model(initialization)
    for slot in model.table.slots where slot.name != "weight" {
      let expected: Float = slot.name == "scale" || slot.name == "runningVariance" ? 1 : 0
      #expect(model[slot].elements.allSatisfy { $0 == expected })
    }
    #expect(try self.model(initialization).values == model.values)
    #expect(try self.model(initialization, seed: 2).values != model.values)
  }

  // Variances of the three rules for 25 inputs and 32·25 outputs a weight of the convolution.
  @Test(arguments: [(Initialization.he, 0.08), (.glorot, 0.002_424), (.orthogonal, 0.0625)])
  func variancesAreTheirs(initialization: Initialization, expected: Double) throws {
    let model = try model(initialization)
    let weights = model[model.table.slots[0]].elements
    let variance = weights.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(weights.count)
    // 800 draws: five standard errors of a variance are 25%.
    #expect(abs(variance / expected - 1) < 0.25)
  }
}
