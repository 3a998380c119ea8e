import Foundation
import HostInference
import Testing

/// Files of version 1 that stay readable for ever, with the answers that they gave when they were written.
///
/// `make golden-ink` writes them again, which is right only for files that are new: those of a released version are
/// kept as they are.
struct GoldenFilesTests {
  /// What stands beside each file.
  struct Expectation: Codable, Equatable {
    struct Answer: Codable, Equatable {
      var pixels: [UInt8]
      var label: String
      var probabilities: [Double]
    }

    var content: NetworkContent
    var answers: [Answer]
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")
  static var isWriting: Bool { ProcessInfo.processInfo.environment["INKLING_WRITE_GOLDEN"] != nil }

  private func file(_ golden: GoldenNetwork, _ kind: String) -> URL {
    Self.folder.appendingPathComponent("\(golden.name).\(kind)")
  }

  private func expectation(_ golden: GoldenNetwork) throws -> Expectation {
    try JSONDecoder().decode(Expectation.self, from: Data(contentsOf: file(golden, "json")))
  }

  private func network(_ golden: GoldenNetwork) throws -> Network {
    try Network(copying: [UInt8](Data(contentsOf: file(golden, "ink"))))
  }

  @Test(.enabled(if: isWriting), arguments: GoldenNetwork.all) func write(golden: GoldenNetwork) throws {
    let network = try Network(copying: golden.bytes)
    let answers = try (0..<3).map { number in
      let prediction = try network.predict(golden.pixels(number))
      return Expectation.Answer(
        pixels: golden.pixels(number), label: prediction.label,
        probabilities: prediction.probabilities.map(Double.init))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let expectation = Expectation(content: try NetworkContent(network), answers: answers)
    try Data(golden.bytes).write(to: file(golden, "ink"))
    try (encoder.encode(expectation) + Data("\n".utf8)).write(to: file(golden, "json"))
  }

  @Test(.disabled(if: isWriting), arguments: GoldenNetwork.all)
  func theFileHoldsWhatItHeld(golden: GoldenNetwork) throws {
    #expect(try NetworkContent(network(golden)) == expectation(golden).content)
  }

  /// The plain loops may come to sum in another order: 1e-6. Kernels fuse and sum in theirs: 1e-5.
  @Test(.disabled(if: isWriting), arguments: GoldenNetwork.all)
  func theAnswersStayTheSame(golden: GoldenNetwork) throws {
    let plain = try network(golden)
    let prepared = Network.kernelSets.map { plain.preparedForHost(kernels: $0) }
    for answer in try expectation(golden).answers {
      for (network, tolerance) in [(plain, 1e-6)] + prepared.map({ ($0, 1e-5) }) {
        let prediction = try network.predict(answer.pixels)
        #expect(prediction.label == answer.label)
        let differences = zip(prediction.probabilities, answer.probabilities).map { abs(Double($0) - $1) }
        #expect(prediction.probabilities.count == answer.probabilities.count)
        #expect((differences.max() ?? 1) <= tolerance)
      }
    }
  }

  @Test(.disabled(if: isWriting), arguments: GoldenNetwork.all)
  func theWriterWritesTheSameBytes(golden: GoldenNetwork) throws {
    #expect(try golden.bytes == [UInt8](Data(contentsOf: file(golden, "ink"))))
  }
}
