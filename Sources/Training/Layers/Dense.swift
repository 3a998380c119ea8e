import Tensors

/// A fully connected layer: y = W x + b. An image is taken in C, H, W order.
///
/// Weights are [out, in], then one bias an output.
public struct Dense: Hashable, Sendable {
  public var outputs: Int
  public var hasBias: Bool

  public init(outputs: Int, hasBias: Bool = true) {
    self.outputs = outputs
    self.hasBias = hasBias
  }
}

extension Dense: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape {
    ImageShape(channels: outputs, height: 1, width: 1)
  }

  func parameters(for input: ImageShape) -> [Parameter] {
    let weight = Parameter(
      name: "weight", shape: [outputs, input.count], role: .weight(fanIn: input.count, fanOut: outputs))
    return hasBias ? [weight, Parameter(name: "bias", shape: [outputs], role: .bias)] : [weight]
  }

  func multiplyAdds(from input: ImageShape, to output: ImageShape) -> Int { input.count * outputs }

  var grain: Grain { .shard }
  var backwardReadsInput: Bool { true }

  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory {
    LayerMemory(scratch: MatrixProduct.panelCount)
  }

  func forward(_ pass: LayerPass) {
    let inputs = pass.inputShape.count
    // Y [count, out] = X [count, in] · Wᵀ
    MatrixProduct(kernels: pass.kernels, panel: pass.scratch)(
      rows: pass.count, columns: outputs, inner: inputs, .plain(pass.input, stride: inputs),
      .transposed(pass.parameters.trainable, stride: inputs), into: pass.output, stride: outputs)
    guard hasBias else { return }
    let bias = pass.parameters.trainable + outputs * inputs
    for image in 0..<pass.count {
      let row = pass.output + image * outputs
      for i in 0..<outputs { row[i] += bias[i] }
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    guard let inputGradient = gradients.input else { return }
    let inputs = pass.inputShape.count
    // dX [count, in] = dY · W
    MatrixProduct(kernels: pass.kernels, panel: pass.scratch)(
      rows: pass.count, columns: inputs, inner: outputs, .plain(gradients.output, stride: outputs),
      .plain(pass.parameters.trainable, stride: inputs), into: inputGradient, stride: inputs)
  }

  /// Inputs whose weights make a part: about as many weights as fit into the second cache beside their operands.
  private var partInputs: Int {
    max(KernelSet.columns, 16_384 / outputs / KernelSet.columns * KernelSet.columns)
  }

  // A matrix of weights can be large: written and read again for each shard it would cost more than its sums.
  func batchParts(for input: ImageShape) -> Int { (input.count + partInputs - 1) / partInputs }

  func backward(part: Int, _ pass: BatchPass) {
    let inputs = pass.inputShape.count
    let first = part * partInputs
    // dW [out, part of in] = dYᵀ · X
    MatrixProduct(kernels: pass.kernels, panel: pass.scratch)(
      rows: outputs, columns: min(partInputs, inputs - first), inner: pass.count,
      .transposed(pass.outputGradient, stride: outputs), .plain(pass.input + first, stride: inputs),
      into: pass.trainable + first, stride: inputs)
    guard hasBias, part == 0 else { return }
    let bias = pass.trainable + outputs * inputs
    bias.update(from: pass.outputGradient, count: outputs)
    for image in 1..<max(1, pass.count) {
      let row = pass.outputGradient + image * outputs
      for i in 0..<outputs { bias[i] += row[i] }
    }
  }

  public var description: String { "dense \(outputs)" + (hasBias ? "" : " nobias") }
}
