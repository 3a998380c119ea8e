import Foundation
import HostInference

/// Measures one network: loading, single images, many images, and each stage.
struct LatencyBenchmark {
  let path: String
  let kernels: String?
  /// For each of the measurements.
  let seconds: Double

  private let clock = ContinuousClock()
  /// Images that differ, so that no branch is learnt by heart.
  private static let imageCount = 64

  /// Throws a `NetworkFileError` if the file is no network.
  func run() throws(NetworkFileError) -> BenchmarkResult {
    let cold = try loadTime()
    let warm = try (0..<15).map { _ throws(NetworkFileError) in try loadTime() }.sorted()
    let file = try Network(contentsOf: URL(fileURLWithPath: path))
    let network = file.preparedForHost(kernels: kernels)
    var result = BenchmarkResult(model: path, kernels: kernels ?? Network.kernelSets.first ?? "")
    (result.coldLoadMicroseconds, result.warmLoadMicroseconds) = (cold * 1e6, warm[warm.count / 2] * 1e6)
    result.fileByteCount = network.byteCount
    result.preparedByteCount = network.preparedByteCount
    result.scratchByteCount = network.scratchByteCount
    (result.clockStepNanoseconds, result.clockReadNanoseconds) = clockCosts()

    let images = Self.images(network.input.extent.count)
    let workplace = Workplace(network, images)
    result.firstMicroseconds = time { workplace.predict(0) } * 1e6
    // Before this program's own records of its measurements grow.
    result.peakMemoryByteCount = Self.peakMemory
    warmUp(workplace)
    result.latency = latencies(workplace)
    result.throughput = [1, 32, 256].map { throughput(workplace, batch: $0) }
    result.stages = stages(workplace)
    return result
  }

  private static var peakMemory: Int {
    var usage = rusage()
    // Linux counts kilobytes here, Darwin bytes.
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(RUSAGE_SELF.rawValue, &usage)
      return usage.ru_maxrss * 1024
    #endif
  }

  private func time(_ body: () -> Void) -> Double { clock.measure(body) / .seconds(1) }

  /// From the path to a network that is ready to predict, in seconds.
  private func loadTime() throws(NetworkFileError) -> Double {
    let start = clock.now
    let network = try Network(contentsOf: URL(fileURLWithPath: path))
    let seconds = (clock.now - start) / .seconds(1)
    withExtendedLifetime(network) {}
    return seconds
  }

  /// The smallest step that the clock takes, and what a reading costs, in nanoseconds.
  private func clockCosts() -> (step: Double, read: Double) {
    let count = 20_000
    var (smallest, last) = (Double.infinity, clock.now)
    let start = last
    for _ in 0..<count {
      let now = clock.now
      if now > last { smallest = min(smallest, (now - last) / .nanoseconds(1)) }
      last = now
    }
    return (smallest, (last - start) / .nanoseconds(1) / Double(count))
  }

  private func warmUp(_ workplace: Workplace) {
    let end = clock.now + .milliseconds(200)
    var index = 0
    while clock.now < end {
      workplace.predict(index % Self.imageCount)
      index += 1
    }
  }

  /// Each prediction by itself, the clock's reading included.
  private func latencies(_ workplace: Workplace) -> BenchmarkResult.Latency {
    var samples: [Double] = []
    samples.reserveCapacity(2_000_000)
    let end = clock.now + .seconds(seconds)
    var index = 0
    while samples.count < 2_000_000 {
      let start = clock.now
      workplace.predict(index % Self.imageCount)
      let stop = clock.now
      samples.append((stop - start) / .microseconds(1))
      index += 1
      if stop > end, index >= 100 { break }
    }
    samples.sort()
    func percentile(_ share: Double) -> Double {
      samples[min(samples.count - 1, Int(share * Double(samples.count)))]
    }
    return BenchmarkResult.Latency(
      count: samples.count, minMicroseconds: samples[0], p50Microseconds: percentile(0.5),
      p90Microseconds: percentile(0.9), p99Microseconds: percentile(0.99),
      maxMicroseconds: samples[samples.count - 1])
  }

  /// Images a second in batches: the median of some stretches.
  private func throughput(_ workplace: Workplace, batch: Int) -> BenchmarkResult.Throughput {
    var rates: [Double] = []
    for _ in 0..<7 {
      let end = clock.now + .seconds(seconds / 7)
      var count = 0
      let start = clock.now
      repeat {
        workplace.predictBatch(batch)
        count += batch
      } while clock.now < end
      rates.append(Double(count) / ((clock.now - start) / .seconds(1)))
    }
    rates.sort()
    return BenchmarkResult.Throughput(
      batch: batch, imagesPerSecond: rates[3], imagesPerSecondLow: rates[0], imagesPerSecondHigh: rates[6])
  }

  /// The median time of each stage, without what reading the clock costs.
  private func stages(_ workplace: Workplace) -> [BenchmarkResult.Stage] {
    let stages = workplace.network.stages
    let recorder = StageRecorder(stages.count)
    for index in 0..<500 { workplace.predict(index % Self.imageCount, recorder) }
    let read = clockCosts().read / 1e3
    return stages.indices.map { index in
      let microseconds = max(0, recorder.median(index) - read)
      let rate = 2 * Double(stages[index].multiplyAdds) / microseconds / 1e3
      return BenchmarkResult.Stage(
        stage: stages[index].name, microseconds: microseconds,
        gflops: stages[index].multiplyAdds > 0 && microseconds > 0 ? rate : nil)
    }
  }

  /// Made-up drawings: a bright stroke on paper, so that as many pixels are 0 as in real ones.
  private static func images(_ count: Int) -> [UInt8] {
    var state: UInt64 = 1
    return (0..<imageCount).flatMap { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let (start, length) = (Int(state >> 33) % count, count / 5)
      return (0..<count).map {
        (($0 &* 7 &+ start) % count) < length ? UInt8(truncatingIfNeeded: $0 &* 37 | 128) : 0
      }
    }
  }
}

/// Buffers that a network's predictions go to.
final class Workplace {
  let network: Network
  private let images: [UInt8]
  private let scratch: UnsafeMutableRawBufferPointer
  private let batch: UnsafeMutableBufferPointer<UInt8>
  private let probabilities: UnsafeMutableBufferPointer<Float>
  private static let largestBatch = 256

  init(_ network: Network, _ images: [UInt8]) {
    self.network = network
    self.images = images
    scratch = .allocate(
      byteCount: max(network.scratchByteCount, network.batchScratchByteCount(Self.largestBatch)),
      alignment: 64)
    probabilities = .allocate(capacity: network.classCount * Self.largestBatch)
    batch = .allocate(capacity: network.input.extent.count * Self.largestBatch)
    for index in batch.indices { batch[index] = images[index % images.count] }
  }

  deinit {
    scratch.deallocate()
    probabilities.deallocate()
    batch.deallocate()
  }

  func predict(_ image: Int) {
    images.withUnsafeBufferPointer { images in
      guard let pixels = images.baseAddress, let work = scratch.baseAddress,
        let target = probabilities.baseAddress
      else { return }
      _ = network.predict(pixels + image * network.input.extent.count, scratch: work, probabilities: target)
    }
  }

  func predictBatch(_ count: Int) {
    guard let pixels = batch.baseAddress, let work = scratch.baseAddress,
      let target = probabilities.baseAddress
    else { return }
    network.predict(UnsafePointer(pixels), count: count, scratch: work, probabilities: target)
  }

  func predict(_ image: Int, _ recorder: StageRecorder) {
    images.withUnsafeBufferPointer { images in
      guard let pixels = images.baseAddress, let work = scratch.baseAddress,
        let target = probabilities.baseAddress
      else { return }
      recorder.start()
      network.predict(
        pixels + image * network.input.extent.count, scratch: work, probabilities: target
      ) { recorder.record($0) }
    }
  }
}

/// Times of stages, in microseconds.
final class StageRecorder {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant
  private var samples: [[Double]]

  init(_ count: Int) {
    samples = Array(repeating: [], count: count)
    last = clock.now
  }

  func start() { last = clock.now }

  func record(_ stage: Int) {
    let now = clock.now
    samples[stage].append((now - last) / .microseconds(1))
    last = clock.now
  }

  func median(_ stage: Int) -> Double {
    let sorted = samples[stage].sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
