import Tensors
import Testing

@testable import Training

/// A last batch of one image has no variance after a dense layer.
@Suite struct SmallestBatchTests {
  @Test func oneImageLeavesRunningStatisticsAloneAndEverythingFinite() throws {
    let architecture = try Architecture(
      input: ImageShape(channels: 1, height: 2, width: 2), parsing: "dense 3, batchnorm, relu, dense 2")
    let start = try Model(architecture: architecture, seed: 1)
    let table = start.table
    let values = Arena(copying: start.values)
    // Shifts that ReLU lets through.
    for i in try #require(table.slots.first { $0.name == "shift" }).range { values.values[i] = 0.5 }
    let before = values.array(table.count)
    let gradient = Arena(copying: Array(repeating: .nan, count: table.trainableCount))
    let runner = BatchRunner(architecture: architecture, batchSize: 16, threads: 1)

    let outcome = [UInt16(1)].withUnsafeBufferPointer {
      runner.differentiate(
        values: values.values, gradient: gradient.values, labels: $0, loss: SoftmaxCrossEntropy(),
        seed: 0, step: 0
      ) { _, _, pixels in
        for i in 0..<4 { pixels[i] = Float(i) / 4 }
      }
    }

    #expect(values.array(table.count) == before)
    #expect(outcome.loss.isFinite)
    let derivatives = gradient.array(table.trainableCount)
    #expect(derivatives.allSatisfy { $0.isFinite })
    for slot in table.slots where slot.range.upperBound <= table.trainableCount {
      // The normalised value is 0 whatever the layers before say, so only the shift and what follows matter.
      let isIdle = slot.layer == 0 || slot.name == "scale"
      #expect(derivatives[slot.range].allSatisfy { $0 == 0 } == isIdle, "\(slot.name) of layer \(slot.layer)")
    }
  }
}
