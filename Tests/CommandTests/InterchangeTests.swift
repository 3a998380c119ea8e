import Foundation
import Testing

@testable import Training

extension ProgramTests {
  /// `inkling-export` to other systems' files, and from them.
  struct InterchangeTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data", test: Workplace.cycle(150, of: [0, 1, 2]))
      try place.train(
        ["--data", "data", "--layers", plain, "--labels", "dot,bar,box", "--epochs", "6", "--output", "run"]
          + quick)
    }

    private func export(_ arguments: [String]) throws -> ExportReportJSON {
      let outcome = try place.run(.export, arguments + ["--json"])
      try #require(outcome.status == 0, "\(outcome.errors)")
      return try JSONDecoder().decode(ExportReportJSON.self, from: Data(outcome.output.utf8))
    }

    /// The same arithmetic in another order: single precision differs by some units in the last place.
    @Test(arguments: ["ink", "c", "onnx", "safetensors"])
    func whatIsReadBackComputesTheSame(format: String) throws {
      let report = try export([
        "--model", "run", "--format", format, "--output", "file.c", "--weights", "f32", "--verify",
      ])
      let verification = try #require(report.verification)
      #expect(verification.count == 150 && verification.flipped == 0)
      #expect(verification.largestDifference < 1e-5)
      #expect(report.accuracyAfter == 1)
      // What is stored in fewer bits differs by that, and the comparison sees it.
      let half = try export([
        "--model", "run", "--format", format, "--output", "half.c", "--weights", "f16", "--verify",
        "--verify-images", "40",
      ])
      let difference = half.verification?.largestDifference ?? 0
      #expect(half.verification?.count == 40 && difference > 1e-6 && difference < 1e-2)
    }

    @Test func wholeNumbersAreReadBackBitForBit() throws {
      let whole = ["--model", "run", "--weights", "int8", "--calibrate", "data", "--verify"]
      let ink = try export(whole + ["--output", "whole.ink"])
      let onnx = try export(whole + ["--output", "whole.onnx", "--format", "onnx"])
      #expect(ink.verification == onnx.verification && onnx.verification?.largestDifference ?? 0 > 0)
    }

    @Test(arguments: [[], ["--updatable"], ["--updatable-knn"]])
    func writesCoreML(kind: [String]) throws {
      let arguments = ["--model", "run", "--format", "coreml", "--output", "Shapes.mlmodel"]
      let outcome = try place.run(.export, arguments + kind + ["--author", "Ada", "--verify"])
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("warning: not verified, since nothing here reads coreml files"))
      let bytes = try place.bytes("Shapes.mlmodel")
      for text in ["Ada", "dot", "ells 3 classes apart"] {
        #expect(bytes.range(of: Data(text.utf8)) != nil, "\(text)")
      }
      // What neighbours answer is learned on the device: there is nothing to judge yet.
      let isJudged = kind != ["--updatable-knn"]
      #expect(outcome.output.contains("before ") == isJudged)
      #expect(outcome.output.contains("until it has learned") != isJudged)
      for text in ["100.00% of 150 test images", "Tells 3"] {
        #expect((bytes.range(of: Data(text.utf8)) != nil) == isJudged, "\(text)")
      }
      #expect((bytes.range(of: Data("drawing".utf8)) != nil) == !kind.isEmpty)
    }

    @Test func trainsOnTheDeviceAsAsked() throws {
      var files: [Data] = []
      for optimizer in ["sgd", "adam"] {
        _ = try export([
          "--model", "run", "--format", "coreml", "--updatable", "--update-optimizer", optimizer, "--output",
          "Shapes.mlmodel",
        ])
        files.append(try place.bytes("Shapes.mlmodel"))
      }
      // Momentum is one number, Adam's settings are three.
      #expect(files[1].count > files[0].count)
    }

    @Test func filesOfOthersBecomeOurs() throws {
      _ = try export(["--model", "run", "--format", "onnx", "--output", "net.onnx"])
      _ = try export(["--model", "run", "--format", "safetensors", "--output", "net.safetensors"])
      let loss = try place.evaluation(["--model", "run", "--data", "data"]).loss
      for file in ["net.onnx", "net.safetensors"] {
        let report = try export(["--from", file, "--output", "net.ink", "--weights", "f32", "--data", "data"])
        #expect(report.accuracyBefore == 1 && report.accuracyAfter == 1)
        let evaluation = try place.evaluation(["--model", "net.ink", "--data", "data"])
        #expect(evaluation.accuracy == 1 && abs(evaluation.loss - loss) < 1e-5)
        #expect(try place.run(.info, ["net.ink"]).output.contains("dot"))
      }
      // Pixels that mean something else give other answers.
      _ = try export(["--from", "net.safetensors", "--output", "net.ink", "--scale", "1", "--weights", "f32"])
      #expect(abs(try place.evaluation(["--model", "net.ink", "--data", "data"]).loss - loss) > 1e-3)
      // Both mean x / 255.
      _ = try export([
        "--from", "net.safetensors", "--output", "net.ink", "--scale", "1", "--mean", "0", "--std", "255",
        "--weights", "f32", "--labels", "a,b,c",
      ])
      #expect(abs(try place.evaluation(["--model", "net.ink", "--data", "data"]).loss - loss) < 1e-5)
      #expect(!(try place.run(.info, ["net.ink"]).output.contains("dot")))
    }

    /// Safetensors have no place for what was done to pixels, which goes into the weights: read with no further word
    /// they mean the same.
    @Test func normalisedPixelsBecomeWeights() throws {
      _ = try export(["--model", "run", "--format", "safetensors", "--output", "net.safetensors"])
      let pixels = ["--from", "net.safetensors", "--scale", "0.01", "--mean", "0.3", "--std", "0.4"]
      let told = try export(pixels + ["--output", "told.ink", "--weights", "f32", "--data", "data"])
      _ = try export(
        pixels + ["--format", "safetensors", "--output", "folded.safetensors", "--data", "data", "--verify"])
      _ = try export(["--from", "folded.safetensors", "--output", "folded.ink", "--weights", "f32"])
      #expect(told.accuracyAfter != nil)
      let losses = try ["told.ink", "folded.ink", "run"].map {
        try place.evaluation(["--model", $0, "--data", "data"]).loss
      }
      // The weights are others, and so sums are rounded otherwise.
      #expect(abs(losses[0] - losses[1]) < 1e-4 && abs(losses[0] - losses[2]) > 1e-3, "\(losses)")
    }

    @Test func whatCannotBeDoneLeavesNothing() throws {
      try place.write("Real ONNX model would go here", to: "text.onnx")
      _ = try export(["--model", "run", "--format", "onnx", "--output", "net.onnx"])
      _ = try export(["--model", "run", "--format", "safetensors", "--output", "net.safetensors"])
      _ = try export(["--model", "run", "--format", "coreml", "--output", "shapes.mlmodel"])
      for (arguments, status, expected) in [
        (["--from", "text.onnx"], 65, "text.onnx: expected an ONNX model, found text"),
        (["--from", "net.onnx", "--format", "safetensors"], 65, "found an ONNX file"),
        (["--from", "net.onnx", "--layers", "dense 3"], 64, "--layers goes with weights"),
        (["--from", "net.onnx", "--model", "run"], 64, "give one of them"),
        (["--from", "net.onnx", "--verify"], 64, "name a data set's folder with --data"),
        (["--from", "net.onnx", "--refuse", "0.1"], 65, "images set aside"),
        (["--from", "nowhere.onnx"], 66, "nothing at this path"),
        (["--model", "run", "--scale", "1"], 64, "--scale goes with --from"),
        (["--from", "shapes.mlmodel"], 65, "expected an ONNX model, found a Core ML model"),
        (
          ["--model", "run", "--format", "coreml", "--update-optimizer", "adam"], 64, "goes with --updatable"
        ),
        (["--model", "run", "--onnx-opset", "13"], 64, "means nothing with --format ink: it is for onnx"),
        (
          ["--model", "run", "--updatable", "--format", "coreml", "--weights", "int8"], 64,
          "needs --weights f32"
        ),
        (
          ["--model", "run", "--format", "coreml", "--calibrate", "data"], 64,
          "means nothing with --format coreml"
        ),
        (["--model", "run", "--format", "safetensors", "--weights", "int4"], 64, "holds f32 or f16"),
        (["--model", "run", "--format", "onnx", "--input-name", "a/b"], 65, "without a slash"),
      ] as [([String], Int32, String)] {
        let outcome = try place.run(.export, arguments + ["--output", "none"])
        #expect(outcome.status == status && outcome.output.isEmpty && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
      }
      let misfit = try place.run(
        .export, ["--from", "net.safetensors", "--layers", "dense 7, relu, dense 3", "--output", "none"])
      // One line, and a table below it.
      #expect(misfit.status == 65 && misfit.errorLines.count > 1, "\(misfit.errors)")
      #expect(!place.exists("none"))
    }
  }
}
