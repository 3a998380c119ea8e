import Foundation
import PlainText

/// What was measured, for programs and for people.
struct BenchmarkResult: Codable {
  struct Latency: Codable {
    var count = 0
    var minMicroseconds = 0.0
    var p50Microseconds = 0.0
    var p90Microseconds = 0.0
    var p99Microseconds = 0.0
    var maxMicroseconds = 0.0
  }

  struct Throughput: Codable {
    var batch: Int
    var imagesPerSecond: Double
    var imagesPerSecondLow: Double
    var imagesPerSecondHigh: Double
  }

  struct Stage: Codable {
    var stage: String
    var microseconds: Double
    var gflops: Double?
  }

  var model: String
  var kernels: String
  var threads = 1
  var fileByteCount = 0
  var preparedByteCount = 0
  var scratchByteCount = 0
  var peakMemoryByteCount = 0
  /// Reading, checking and preparing: the first time in this process, and the median of later times.
  var coldLoadMicroseconds = 0.0
  var warmLoadMicroseconds = 0.0
  /// The first prediction.
  var firstMicroseconds = 0.0
  var latency = Latency()
  var throughput: [Throughput] = []
  var stages: [Stage] = []
  var clockStepNanoseconds = 0.0
  var clockReadNanoseconds = 0.0

  init(model: String, kernels: String) {
    self.model = model
    self.kernels = kernels
  }

  func encoded() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// At most 80 columns wide, save for a path that is longer.
  var text: String {
    var facts = TextTable([.left, .left], flexible: 1)
    facts.add(["kernels", "\(kernels), 1 thread"])
    facts.add([
      "memory",
      "\(fileByteCount.groupedDigits) bytes in the file, \(preparedByteCount.groupedDigits) prepared, "
        + "\(scratchByteCount.groupedDigits) scratch",
    ])
    facts.add([
      "", "\((Double(peakMemoryByteCount) / 1e6).threeDigits) MB in all at its peak, this program included",
    ])
    facts.add([
      "load",
      "\(Self.time(coldLoadMicroseconds)) cold, \(Self.time(warmLoadMicroseconds)) warm (read, check, prepare)",
    ])
    facts.add(["first image", Self.time(firstMicroseconds)])
    facts.add([
      "clock",
      "steps of \(clockStepNanoseconds.fixed(0)) ns; reading it takes \(clockReadNanoseconds.fixed(0)) ns, included",
    ])

    var latencies = TextTable([.left, .right, .right, .right, .right, .right])
    latencies.add(["batch 1", "min", "p50", "p90", "p99", "max"])
    latencies.add(
      ["µs"]
        + [
          latency.minMicroseconds, latency.p50Microseconds, latency.p90Microseconds, latency.p99Microseconds,
          latency.maxMicroseconds,
        ].map(\.threeDigits))

    var rates = TextTable([.left, .right, .left])
    rates.add(["batch", "images/s", "range"])
    for rate in throughput {
      rates.add([
        "\(rate.batch)", rate.imagesPerSecond.threeDigits,
        "\(rate.imagesPerSecondLow.threeDigits) to \(rate.imagesPerSecondHigh.threeDigits)",
      ])
    }

    var layers = TextTable([.left, .right, .right], flexible: 0)
    layers.add(["stage", "µs", "GFLOP/s"])
    for stage in stages {
      layers.add([stage.stage, stage.microseconds.threeDigits, stage.gflops?.threeDigits ?? ""])
    }
    return [
      model.singleLine, facts.text, "\(latencies.text)\n\(latency.count.of("prediction"))", rates.text,
      layers.text,
    ].joined(separator: "\n\n")
  }

  private static func time(_ microseconds: Double) -> String {
    microseconds < 1000 ? "\(microseconds.threeDigits) µs" : "\((microseconds / 1000).threeDigits) ms"
  }
}
