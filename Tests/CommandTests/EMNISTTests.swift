import Foundation
import Testing

extension ProgramTests {
  /// Data as EMNIST has it: other file names, images on their sides, letters in a mapping file.
  struct EMNISTTests {
    let place: Workplace

    init() throws {
      place = try Workplace()
      try place.pictures("data", set: "emnist-tiny")
      try place.write("0 65\n1 98\n2 231\n", to: "data/emnist-tiny-mapping.txt")
      try place.train(
        ["--data", "data", "--transpose", "--layers", plain, "--epochs", "6", "--output", "run"] + quick)
    }

    @Test func namesTheClassesByTheirLetters() throws {
      let arguments = ["--model", "run", "--data", "data", "--transpose"]
      let evaluation = try place.evaluation(arguments)
      #expect(evaluation.accuracy == 1)
      #expect(evaluation.perClass.map(\.label) == ["A", "b", "ç"])
      let outcome = try place.run(.evaluate, arguments)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output.contains("\nç  "))
    }

    @Test func turnsTheImages() throws {
      // The same pictures, upright under MNIST's names.
      try place.pictures("upright")
      #expect(try place.evaluation(["--model", "run", "--data", "upright"]).accuracy == 1)
    }

    @Test func warnsIfTheImagesAreLeftOnTheirSides() throws {
      let outcome = try place.run(.evaluate, ["--model", "run", "--data", "data"])
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("warning: run/best.ckpt was trained with --transpose"))
      // A line along the top is taken for one down the side, and the other way round.
      #expect(outcome.output.contains("(20 of 60)"))
    }

    @Test func takesOtherNames() throws {
      try place.train(
        ["--data", "data", "--labels", "top, left,across", "--layers", "dense 3", "--output", "named"] + quick
      )
      let evaluation = try place.evaluation(["--model", "named", "--data", "data"])
      #expect(evaluation.perClass.map(\.label) == ["top", "left", "across"])
    }
  }
}
