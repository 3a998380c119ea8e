import Tensors
import Testing
import Training

@testable import Interchange

struct WeightMappingTests {
  static let input = ImageShape(channels: 1, height: 4, width: 4)

  /// A file with arrays of which each has its own number throughout.
  private func file(
    _ arrays: [(name: String, shape: [Int])], keepsOrder: Bool = false
  ) -> WeightFile {
    WeightFile(
      path: "w",
      arrays: arrays.enumerated().map { index, array in
        WeightFile.NamedArray(
          name: array.name, shape: array.shape,
          values: Array(repeating: Float(index + 1), count: array.shape.reduce(1, *)))
      }, keepsOrder: keepsOrder)
  }

  private func modules(_ file: WeightFile, _ layers: String) throws -> [Int: String] {
    try WeightMapping(file, onto: Architecture(input: Self.input, parsing: layers)).modules
  }

  private func refusal(_ file: WeightFile, _ layers: String) throws -> InterchangeError? {
    let architecture = try Architecture(input: Self.input, parsing: layers)
    do throws(InterchangeError) {
      _ = try WeightMapping(file, onto: architecture)
      return nil
    } catch {
      return error
    }
  }

  @Test func takesNamesInTheOrderOfTheirNumbers() throws {
    let names = [("l.10.weight", [16, 16]), ("l.2.weight", [16, 16]), ("l.9.weight", [16, 16])]
    #expect(
      try modules(file(names), "dense 16 nobias, relu, dense 16 nobias, dense 16 nobias")
        == [0: "l.2", 2: "l.9", 3: "l.10"])
  }

  @Test func takesShapesThatOnlyOneLayerHasWhereverTheyStand() throws {
    let file = file([
      ("classifier.1.bias", [3]), ("classifier.1.weight", [3, 8]), ("features.0.bias", [2]),
      ("features.0.weight", [2, 1, 3, 3]),
    ])
    #expect(try modules(file, "conv 3x3 2, relu, dense 3") == [0: "features.0", 2: "classifier.1"])
  }

  @Test func mapsBatchNormalisationByWhatPyTorchCallsIt() throws {
    let file = file([
      ("bn.running_var", [2]), ("bn.bias", [2]), ("bn.weight", [2]), ("bn.running_mean", [2]),
      ("conv.weight", [2, 1, 1, 1]), ("fc_weight", [1, 32]), ("fc_bias", [1]),
    ])
    let architecture = try Architecture(input: Self.input, parsing: "conv 1x1 2 nobias, batchnorm, dense 1")
    let model = try Model(architecture: architecture, weights: file)
    let first = Dictionary(
      uniqueKeysWithValues: model.table.slots.map {
        ("\($0.layer) \($0.name)", model.values[$0.range.lowerBound])
      })
    #expect(
      first == [
        "0 weight": 5, "1 scale": 3, "1 shift": 2, "1 runningMean": 4, "1 runningVariance": 1, "2 weight": 6,
        "2 bias": 7,
      ])
  }

  @Test func guessesNoOrder() throws {
    let names = [("stem.weight", [16, 16]), ("head.weight", [16, 16])]
    let layers = "dense 16 nobias, dense 16 nobias"
    #expect(try modules(file(names, keepsOrder: true), layers) == [0: "stem", 1: "head"])
    let error = try #require(try refusal(file(names), layers))
    #expect(
      error.description.contains(
        "to say which comes first, found 'head' and 'stem', which have the same shapes"))
  }

  @Test(
    arguments: [
      (
        [("0.weight", [3, 16]), ("0.bias", [3])], "dense 3 nobias",
        "layer 1 (dense 3 nobias): expected weight [3, 16], found '0' with weight [3, 16], bias [3]; "
          + "there is a bias: leave nobias out"
      ),
      (
        [("0.weight", [3, 16])], "dense 3",
        "expected weight [3, 16], bias [3], found '0' with weight [3, 16]; there is no bias: write \"dense 3 nobias\""
      ),
      (
        [("0.weight", [16, 3]), ("0.bias", [3])], "dense 3",
        "that is [in, out], as Keras and JAX keep it: transpose it"
      ),
      (
        [("0.weight", [3, 16]), ("0.bias", [3]), ("1.weight", [5, 3]), ("1.bias", [5])], "dense 3",
        "expected no more arrays than the layers have, found '1' with weight [5, 3], bias [5]"
      ),
      (
        [("0.weight", [3, 16]), ("0.bias", [3])], "conv 1x1 4 same, dense 3",
        "layer 1 (conv 1x1 4 same): expected weight [4, 1, 1, 1], bias [4], found no such arrays; leave the layer out"
      ),
      (
        [("0.weight", [3, 16]), ("0.gamma", [3])], "dense 3",
        "expected names that end in weight, bias, running_mean or running_var, found '0.gamma'"
      ),
      (
        [("0.weight", [3, 16]), ("0_weight", [3, 16])], "dense 3",
        "expected one weight of '0', found '0.weight' and '0_weight'"
      ),
    ] as [([(name: String, shape: [Int])], String, String)])
  func saysWhatDoesNotFit(arrays: [(name: String, shape: [Int])], layers: String, expected: String) throws {
    let error = try #require(try refusal(file(arrays), layers))
    #expect(error.description.hasPrefix("w: ") && error.description.contains(expected), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test func showsAllLayersInATable() throws {
    let file = file([
      ("0.weight", [2, 1, 3, 3]), ("0.bias", [2]), ("2.weight", [5, 8]), ("2.bias", [5]),
      ("4.weight", [7, 7]),
    ])
    let error = try #require(try refusal(file, "conv 3x3 2, relu, dense 3"))
    #expect(
      error.details == """
              layer       expects                        found
           1  conv 3x3 2  weight [2, 1, 3, 3], bias [2]  0: weight [2, 1, 3, 3], bias [2]
        !  3  dense 3     weight [3, 8], bias [3]        2: weight [5, 8], bias [5]
        !                 nothing                        4: weight [7, 7]
        """)
  }

  @Test func showsOnlySomeOfMany() throws {
    let file = file((0..<1030).map { ("\($0).weight", [1, 2]) })
    let error = try #require(try refusal(file, "dense 3"))
    let lines = error.details?.split(separator: "\n") ?? []
    // The header, a layer with what is nearest to it, 20 groups of 1,029, and the number of those left.
    #expect(lines.count == 23 && lines.last?.hasSuffix(" 1,009 more") == true)
  }

  @Test func refusesNumbersThatAreNone() throws {
    let file = WeightFile(
      path: "w",
      arrays: [
        WeightFile.NamedArray(
          name: "a.weight", shape: [1, 16], values: [.nan] + Array(repeating: 0, count: 15))
      ],
      keepsOrder: false)
    let error = try #require(try refusal(file, "dense 1 nobias"))
    #expect(error.description.contains("expected finite numbers in 'a.weight', found nan at index 0"))
  }

  @Test func startsTheLastLayerAnewForOtherClasses() throws {
    let file = file([("0.weight", [5, 16]), ("0.bias", [5]), ("2.weight", [4, 5]), ("2.bias", [4])])
    func start(_ layers: String) throws -> WeightStart {
      try WeightStart(file, as: Architecture(input: Self.input, parsing: layers), seed: 1)
    }
    let same = try start("dense 5, relu, dense 4")
    #expect(same.replacedClasses == nil && same.model.values.last == 4)
    let other = try start("dense 5, relu, dense 3")
    #expect(other.replacedClasses == 4)
    #expect(other.model.values.prefix(85) == same.model.values.prefix(85))
    #expect(other.model.values.suffix(3) == [0, 0, 0])
    #expect(other.model.values[85..<100].allSatisfy { $0 != 3 && $0 != 0 })
    #expect(throws: InterchangeError.self) { try start("dense 6, relu, dense 3") }
  }
}
