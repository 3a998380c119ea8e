import AllocationCounter
import Foundation
import Inference
import Tensors
import Training

/// Prints how often predictions ask for memory, a line for each network, storage of weights and way of running it.
///
/// A program of its own, since other tests in the same process would be counted too.
@main
enum Main {
  static func main() throws {
    // First a thing that does, so that a counter that counts nothing is noticed.
    allocation_counter_start()
    let some = [Int](repeating: 1, count: 1000)
    let control = allocation_counter_stop()
    print("array of \(some.count): \(control)")

    let shape = ImageShape(channels: 1, height: 28, width: 28)
    for preset in [Preset.lenet5, .cnn, .mlp] {
      let architecture = try Architecture(input: shape, parsing: preset.text(classes: 10))
      let checkpoint = Checkpoint(
        model: try Model(architecture: architecture, seed: 1), classes: .init(values: Array(0..<10)))
      for weights in [TensorType.float32, .float16, .int8, .int4] {
        let plain = try Network(copying: InkExport(weights: weights).run(checkpoint).bytes)
        count("\(preset) \(weights) plain", plain, images: 2)
        let prepared = plain.preparedForHost()
        count("\(preset) \(weights) prepared", prepared, images: 20)
        countBatch("\(preset) \(weights) batch", prepared)
      }
    }
  }

  private static func count(_ name: String, _ network: Network, images: Int) {
    with(network) { pixels, scratch, probabilities in
      allocation_counter_start()
      for _ in 0..<images { _ = network.predict(pixels, scratch: scratch, probabilities: probabilities) }
      // Stopped first: the text of the line asks for memory too.
      let count = allocation_counter_stop()
      print("\(name): \(count)")
    }
  }

  private static func countBatch(_ name: String, _ network: Network) {
    with(network) { pixels, scratch, probabilities in
      allocation_counter_start()
      network.predict(pixels, count: batch, scratch: scratch, probabilities: probabilities)
      // Stopped first: the text of the line asks for memory too.
      let count = allocation_counter_stop()
      print("\(name): \(count)")
    }
  }

  private static let batch = 40

  private static func with(
    _ network: Network,
    _ body: (UnsafePointer<UInt8>, UnsafeMutableRawPointer, UnsafeMutablePointer<Float>) -> Void
  ) {
    let pixels = (0..<batch * network.input.extent.count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: max(network.scratchByteCount, network.batchScratchByteCount(batch)), alignment: 64)
    let probabilities = UnsafeMutablePointer<Float>.allocate(capacity: batch * network.classCount)
    body(pixels, scratch, probabilities)
    scratch.deallocate()
    probabilities.deallocate()
  }
}
