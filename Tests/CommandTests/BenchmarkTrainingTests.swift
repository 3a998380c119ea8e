import Foundation
import Testing

extension ProgramTests {
  struct BenchmarkTrainingTests {
    private let brief = [
      "--data", Workplace.digits, "--networks", "lenet5", "--seconds", "0.01", "--repeats", "3",
    ]

    @Test func givesWhereTheTimeGoesAsOneObject() throws {
      let outcome = try Workplace().run(
        .benchmarkTraining, brief + ["--threads", "1,2", "--batch-sizes", "20", "--json"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      #expect(
        object.keys.sorted() == ["augmentation", "blas", "entries", "kernels", "optimizer", "peaks"])
      let entries = try #require(object["entries"] as? [[String: Any]])
      #expect(entries.map { $0["threads"] as? Int } == [1, 2])
      for entry in entries {
        func number(_ key: String) throws -> Double { try #require(entry[key] as? Double) }
        let rate = try number("imagesPerSecond")
        #expect(try number("imagesPerSecondLow") <= rate && rate <= number("imagesPerSecondHigh"))
        // LeNet-5's multiply-adds: two convolutions (the first one's input needs no gradient) and three dense layers.
        let multiplyAdds = 2 * 117_600 + 3 * 240_000 + 3 * (48_000 + 10_080 + 840)
        #expect(try abs(number("gflops") / (2 * Double(multiplyAdds) * rate / 1e9) - 1) < 1e-6)
        let parts = try #require(entry["parts"] as? [[String: Any]])
        // Images, eleven layers in two passes, loss, sum and update.
        #expect(parts.count == 1 + 2 * 11 + 3)
        let shares = parts.compactMap { $0["share"] as? Double }
        #expect(abs(shares.reduce(0, +) - 1) < 1e-6 && shares.allSatisfy { $0 >= 0 })
        let convolution = try #require(parts.first { $0["layer"] as? String == "conv 5x5 16" })
        #expect(try #require(convolution["gflops"] as? Double) > 0)
      }
    }

    @Test func printsALineACaseWhereItIsToBeBrief() throws {
      let outcome = try Workplace().run(
        .benchmarkTraining, brief + ["--threads", "1", "--widths", "1,2", "--brief"])
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 4)
      #expect(lines[2].hasPrefix("lenet5, batch 64, 1 thread: "))
      #expect(lines[3].hasPrefix("lenet5 ×2, batch 64, 1 thread: "))
    }

    @Test func anUnknownNetworkIsRefused() throws {
      let outcome = try Workplace().run(.benchmarkTraining, ["--networks", "lenet5,alexnet"])
      #expect(outcome.status == 64)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("linear, mlp, lenet5, cnn"))
    }
  }
}
