import Datasets
import Foundation
import PlainText
import Tensors
import Training

/// What was measured, for programs and for people.
struct BenchmarkReport: Codable {
  struct Peak: Codable {
    var threads: Int
    var gflops: Double
  }

  /// One network at one batch size and number of threads.
  struct Entry: Codable {
    var network: String
    var width: Int
    var batchSize: Int
    var threads: Int
    /// Median, least and most of the repetitions.
    var imagesPerSecond: Double
    var imagesPerSecondLow: Double
    var imagesPerSecondHigh: Double
    var gflops: Double
    /// Of the machine's peak with as many threads.
    var shareOfPeak: Double
    var parts: [Part]
  }

  /// A pass of a layer; its time is that of all threads together.
  struct Part: Codable {
    var layer: String
    var pass: String
    var microsecondsPerImage: Double
    /// Of the time of all parts.
    var share: Double
    var gflops: Double?
    /// Of the peak of one thread.
    var shareOfPeak: Double?
  }

  var kernels = KernelSet.current.name
  var blas = BLAS.core
  var optimizer: String
  var augmentation: String
  var peaks: [Peak] = []
  var entries: [Entry] = []

  init(_ optimizer: String, augmentation: Augmentation) {
    self.optimizer = optimizer
    self.augmentation = "\(augmentation)"
  }

  mutating func add(
    _ result: TrainingBenchmark.Result, network: String, width: Int, _ benchmark: TrainingBenchmark
  ) -> Entry {
    let sorted = result.imagesPerSecond.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let gflops = 2 * Double(result.multiplyAdds) * median / 1e9
    let peak = peaks.first { $0.threads == benchmark.threads }?.gflops ?? .nan
    let total = result.parts.reduce(0) { $0 + $1.secondsPerImage }
    let entry = Entry(
      network: network, width: width, batchSize: benchmark.batchSize, threads: benchmark.threads,
      imagesPerSecond: median, imagesPerSecondLow: sorted[0], imagesPerSecondHigh: sorted[sorted.count - 1],
      gflops: gflops, shareOfPeak: gflops / peak,
      parts: result.parts.map { part in
        let rate = part.multiplyAdds == 0 ? nil : 2 * Double(part.multiplyAdds) / part.secondsPerImage / 1e9
        return Part(
          layer: part.layer, pass: part.pass, microsecondsPerImage: part.secondsPerImage * 1e6,
          share: part.secondsPerImage / total, gflops: rate,
          shareOfPeak: rate.map { $0 / (peak / Double(benchmark.threads)) })
      })
    entries.append(entry)
    return entry
  }

  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// What holds for all entries.
  var heading: String {
    let peaks = peaks.map { "\($0.gflops.fixed(0)) GFLOP/s with \($0.threads.of("thread"))" }
    return """
      kernels  \(kernels), BLAS \(blas), optimizer \(optimizer), augmentation \(augmentation)
      peak     \(peaks.joined(separator: ", ")) (multiply-adds on registers alone)
      """
  }
}

extension BenchmarkReport.Entry {
  /// Two lines, then one for each part that takes half a percent of the time or more.
  func text(isBrief: Bool) -> String {
    let name = width == 1 ? network : "\(network) ×\(width)"
    let range = "\(imagesPerSecondLow.threeDigits) to \(imagesPerSecondHigh.threeDigits)"
    let head = """
      \(isBrief ? "" : "\n")\(name), batch \(batchSize), \(threads.of("thread")): \(imagesPerSecond.threeDigits) images/s \
      (\(range)), \((shareOfPeak * 100).fixed(0))% of peak
      """
    if isBrief { return head }
    var table = TextTable([.left, .right, .right, .right, .right], flexible: 0)
    table.add(["", "µs/image", "share", "GFLOP/s", "of peak"])
    for part in parts where part.share >= 0.005 {
      table.add([
        "\(part.layer), \(part.pass)", part.microsecondsPerImage.threeDigits,
        "\((part.share * 100).fixed(1))%",
        part.gflops?.threeDigits ?? "", part.shareOfPeak.map { "\(($0 * 100).fixed(0))%" } ?? "",
      ])
    }
    return "\(head)\n\(table.text)"
  }
}
