import Foundation
import Interchange
import Testing

@testable import Training

extension ProgramTests {
  /// `inkling-train --init` with weights of other programs.
  struct InitialWeightsTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data")
      try place.train(["--data", "data", "--layers", plain, "--epochs", "5", "--output", "base"] + quick)
    }

    /// The base's weights as another program would save them, without a word of the network.
    private func saveForeign(_ name: String) throws -> Model {
      let model = try place.checkpoint("base/best.ckpt").deployed
      var members: [String] = []
      var data: [UInt8] = []
      for slot in model.table.slots {
        let start = data.count
        model[slot].elements.withUnsafeBytes { data += Array($0) }
        members.append(
          "\"layer\(slot.layer).\(slot.name)\":{\"dtype\":\"F32\",\"shape\":\(slot.shape),"
            + "\"data_offsets\":[\(start),\(data.count)]}")
      }
      let header = Array("{\(members.joined(separator: ","))}".utf8)
      let length = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) }
      try Data(length + header + data).write(to: URL(fileURLWithPath: "\(place.path)/\(name)"))
      return model
    }

    /// A run at a rate that leaves weights as they are.
    private func arguments(_ more: [String]) -> [String] {
      ["--epochs", "1", "--learning-rate", "1e-20", "--output", "tuned"] + more
    }

    @Test func startsFromForeignWeightsAndResumes() throws {
      let model = try saveForeign("w.safetensors")
      let outcome = try place.train(
        arguments(["--data", "data", "--init", "w.safetensors", "--layers", plain]))
      #expect(outcome.output.hasPrefix("start       the weights of w.safetensors\nnetwork     \(plain)\n"))
      let tuned = try place.checkpoint("tuned/best.ckpt")
      #expect(tuned.model.values == model.values && tuned.configuration?.layers == plain)
      #expect(try place.train(["--resume", "tuned"]).output.contains("nothing left to do"))
      #expect(try place.evaluation(["--model", "tuned", "--data", "data"]).accuracy == 1)
    }

    @Test func takesTheNetworkFromItsOwnFile() throws {
      let checkpoint = try place.checkpoint("base/best.ckpt")
      try Data(SafetensorsModel(checkpoint).bytes).write(to: URL(fileURLWithPath: "\(place.path)/own"))
      try place.train(arguments(["--data", "data", "--init", "own"]))
      #expect(try place.checkpoint("tuned/best.ckpt").model.values == checkpoint.model.values)
    }

    @Test func startsTheLastLayerAnewForOtherClasses() throws {
      let model = try saveForeign("w")
      let labels: [UInt8] = [0, 1, 2, 5]
      try place.pictures(
        "other", training: Workplace.cycle(300, of: labels), test: Workplace.cycle(60, of: labels))
      let outcome = try place.train(
        arguments(["--data", "other", "--init", "w", "--layers", plain.replacing("dense 3", with: "dense 4")])
      )
      #expect(outcome.output.contains("; the last layer, there for 3 classes, starts anew\n"))
      let tuned = try place.checkpoint("tuned/best.ckpt").model
      #expect(tuned.values.prefix(40) == model.values.prefix(40))
    }

    @Test func foldsWhatWasDoneToThePixels() throws {
      let model = try saveForeign("w")
      let more = ["--data", "data", "--init", "w", "--layers", plain, "--mean", "0.25", "--std", "0.5"]
      try place.train(arguments(more))
      let folded = try place.checkpoint("tuned/best.ckpt").model
      #expect(folded.architecture.text == plain)
      // The convolution's weights come first: 4 filters of 9.
      #expect(folded.values.prefix(36).elementsEqual(model.values.prefix(36).map { $0 * 2 }))
    }

    @Test func saysWhereABatchNormalisationHasToDoIt() throws {
      let layers = "conv 3x3 4 same, relu, maxpool 2, dense 3"
      try place.train(["--data", "data", "--layers", layers, "--epochs", "1", "--output", "same"] + quick)
      let checkpoint = try place.checkpoint("same/best.ckpt")
      try Data(SafetensorsModel(checkpoint).bytes).write(to: URL(fileURLWithPath: "\(place.path)/own"))
      let outcome = try place.train(
        arguments(["--data", "data", "--init", "own", "--mean", "0.25", "--std", "0.5"]))
      #expect(outcome.output.contains("; --mean and --std are a batchnorm in front, "))
      #expect(outcome.output.contains("network     batchnorm, \(layers)\n"))
      #expect(try place.train(["--resume", "tuned"]).output.contains("nothing left to do"))
    }

    @Test func namesWhatDoesNotFit() throws {
      _ = try saveForeign("w")
      try place.write("{", to: "text")
      try Data([0x80, 2, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63])
        .write(to: URL(fileURLWithPath: "\(place.path)/pickle.pt"))
      let other = "conv 3x3 5, relu, maxpool 2, dense 3"
      for (more, status, expected, lines) in [
        (
          ["--init", "w", "--layers", other], 65,
          "--init w: layer 1 (conv 3x3 5): expected weight [5, 1, 3, 3], bias [5], found 'layer0' with weight "
            + "[4, 1, 3, 3], bias [4]; change --layers so that they are the network that was trained", 4
        ),
        (
          ["--init", "w"], 64,
          "expected --layers or --preset, the network that the weights are of, found neither", 1
        ),
        (
          ["--init", "w", "--layers", plain, "--mean", "0.1"], 64, "--mean and --std go together: give both",
          1
        ),
        (
          ["--init", "w", "--layers", plain, "--mean", "0.1", "--std", "0"], 64,
          "--std: expected a number above 0", 1
        ),
        (
          ["--init", "w", "--layers", plain, "--mean", "0.1,0.2", "--std", "1"], 65,
          "mean: expected one number or 1, as many as the images have channels, found 2", 1
        ),
        (
          ["--init", "base", "--mean", "0.1", "--std", "1"], 64,
          "--mean and --std go with --init and a safetensors", 1
        ),
        (["--mean", "0.1", "--std", "1"], 64, "--mean and --std go with --init and a safetensors", 1),
        (["--init", "text"], 65, "text at byte 0: expected a checkpoint, found something else", 1),
        (
          ["--init", "pickle.pt", "--preset", "mlp"], 65,
          "pickle.pt at byte 0: expected safetensors or .npz, found what torch.save", 1
        ),
      ] as [([String], Int32, String, Int)] {
        let outcome = try place.run(.train, arguments(["--data", "data"] + more))
        #expect(outcome.status == status && outcome.errorLines.count == lines, "\(outcome.errors)")
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(!place.exists("tuned"))
      }
    }
  }
}
