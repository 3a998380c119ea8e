import Tensors
import Testing

@testable import Training

/// Every layer's backward against central finite differences of its forward; a new layer adds a row.
@Suite struct GradientCheckTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let layer: String
    let input: ImageShape

    init(_ layer: String, _ channels: Int, _ height: Int, _ width: Int) {
      self.layer = layer
      input = ImageShape(channels: channels, height: height, width: width)
    }

    var testDescription: String { "\(layer) on \(input)" }
  }

  static let rows = [
    Row("conv 3x3 4", 1, 6, 5), Row("conv 3x3 2 same", 3, 5, 4), Row("conv 1x1 5", 3, 4, 4),
    Row("conv 2x3 3 stride 2 same", 2, 5, 7), Row("conv 5x5 2 stride 2x3", 1, 9, 9),
    Row("conv 3x3 6 groups 3", 3, 5, 5), Row("depthwise 3x3 same", 4, 5, 5),
    Row("conv 4x4 3 nobias", 2, 4, 4),
    Row("conv 3x3 17 same", 2, 3, 18), Row("conv 2x2 2 stride 3", 1, 7, 8),
    Row("conv 3x1 2 stride 1x2", 2, 4, 5), Row("conv 3x3 2 same", 1, 3, 40), Row("conv 4x2 2 same", 2, 4, 5),
    Row("conv 3x2 4 stride 2 groups 2 same", 4, 5, 6),
    Row("conv 5x5 1 same", 2, 3, 2), Row("conv 1x1 2 stride 2", 2, 5, 5),
    Row("depthwise 3x3 stride 2 same nobias", 3, 6, 6),
    Row("dense 7", 2, 3, 3), Row("dense 1", 5, 1, 1), Row("dense 3 nobias", 4, 1, 1),
    Row("relu", 2, 3, 5), Row("leakyrelu 0.1", 2, 3, 5),
    Row("maxpool 2", 2, 6, 4), Row("maxpool 2", 2, 7, 5), Row("maxpool 3 stride 2", 1, 7, 7),
    Row("maxpool 2x3 stride 1", 2, 4, 5), Row("avgpool 2", 2, 6, 5), Row("avgpool 3 stride 1", 1, 5, 5),
    Row("globalavgpool", 3, 4, 5), Row("dropout 0.4", 2, 5, 5), Row("flatten", 2, 3, 3),
  ]

  @Test(arguments: rows, [1, 3])
  func backwardIsTheDerivativeOfForward(row: Row, count: Int) throws {
    for kernels in KernelSet.available { try check(row, count: count, kernels) }
  }

  private func check(_ row: Row, count: Int, _ kernels: KernelSet) throws {
    var single = try SingleLayer(row.layer, input: row.input, count: count)
    single.kernels = kernels
    let x = separatedValues(count * row.input.count, seed: 1)
    let w = normalValues(single.parameterCount, seed: 2)
    let dy = normalValues(count * single.output.count, seed: 3)
    let gradients = single.backward(x, w, outputGradient: dy)

    func loss(_ x: [Float], _ w: [Float]) -> Double {
      zip(single.forward(x, w), dy).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    // These layers are linear between kinks, so the step may be large and only rounding is left: Float32
    // outputs of size 10 over a step of 1/32.
    let step: Float = 1 / 32
    for i in x.indices {
      var (up, down) = (x, x)
      up[i] += step
      down[i] -= step
      let expected = (loss(up, w) - loss(down, w)) / Double(up[i] - down[i])
      #expect(abs(expected - Double(gradients.input[i])) < 1e-3 * max(1, abs(expected)), "input \(i)")
    }
    for i in w.indices {
      var (up, down) = (w, w)
      up[i] += step
      down[i] -= step
      let expected = (loss(x, up) - loss(x, down)) / Double(up[i] - down[i])
      #expect(
        abs(expected - Double(gradients.parameters[i])) < 1e-3 * max(1, abs(expected)), "parameter \(i)")
    }
  }

  /// Whole networks over three shards: batch normalisation, which takes the whole batch, and layers that share memory.
  @Test(arguments: [
    "conv 3x3 3, batchnorm, avgpool 2, dense 3", "dense 6, batchnorm, dense 3",
    "batchnorm, conv 2x2 2 nobias, batchnorm, globalavgpool, dense 3",
    "conv 2x2 2, avgpool 2, batchnorm, dropout 0.3, dense 4, batchnorm, dense 3",
    "conv 3x3 3, leakyrelu 0.9, conv 2x2 4, leakyrelu 0.9, maxpool 2, dropout 0.25, dense 5, leakyrelu 0.9, "
      + "dropout 0.5, dense 3",
    "conv 3x3 2 same, avgpool 2, conv 2x2 3, flatten, dropout 0.2, dense 4, dropout 0.4, dense 3",
  ])
  func wholeNetworks(layers: String) throws {
    let input = ImageShape(channels: 2, height: 6, width: 5)
    let architecture = try Architecture(input: input, parsing: layers)
    var model = try Model(architecture: architecture, seed: 5)
    // Off their starting values of 0 and 1, so that every term of the derivative counts.
    let noise = normalValues(model.table.trainableCount, seed: 6)
    for i in noise.indices { model.values[i] += 0.2 * noise[i] }
    let images = normalValues(37 * input.count, seed: 7)
    let labels = (0..<37).map { UInt16($0 % 3) }
    let runner = BatchRunner(architecture: architecture, batchSize: 37, threads: 2)
    let smoothed = SoftmaxCrossEntropy(labelSmoothing: 0.1, classWeights: [1, 2, 0.5])

    func differentiate(_ values: [Float]) -> (loss: Double, gradient: [Float]) {
      var (values, gradient) = (values, [Float](repeating: 0, count: model.table.trainableCount))
      let outcome = labels.withUnsafeBufferPointer {
        runner.differentiate(
          values: &values, gradient: &gradient, labels: $0, loss: smoothed, seed: 1, step: 0
        ) { _, image, pixels in
          for i in 0..<input.count { pixels[i] = images[image * input.count + i] }
        }
      }
      return (outcome.loss, gradient)
    }
    let gradient = differentiate(model.values).gradient
    let largest = gradient.map { abs($0) }.max() ?? 0
    #expect(largest > 0.01)
    for i in gradient.indices {
      // The loss is smooth here; the step balances its curvature (step²) against Float32 rounding (1e-7 / step).
      let step: Float = 1 / 128
      var (up, down) = (model.values, model.values)
      up[i] += step
      down[i] -= step
      let expected = (differentiate(up).loss - differentiate(down).loss) / Double(up[i] - down[i])
      #expect(abs(expected - Double(gradient[i])) < 4e-3 * Double(max(largest, 0.1)), "parameter \(i)")
    }
  }
}
