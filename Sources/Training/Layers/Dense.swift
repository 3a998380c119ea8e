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

  func forward(_ pass: LayerPass) {
    let inputs = pass.inputShape.count
    // Y [count, out] = X [count, in] · Wᵀ
    multiply(
      rows: pass.count, columns: outputs, inner: inputs,
      .plain(pass.input), .transposed(pass.trainable), into: pass.output)
    guard hasBias else { return }
    let bias = pass.trainable + outputs * inputs
    for image in 0..<pass.count {
      let row = pass.output + image * outputs
      for i in 0..<outputs { row[i] += bias[i] }
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    let inputs = pass.inputShape.count
    // dW [out, in] = dYᵀ · X
    multiply(
      rows: outputs, columns: inputs, inner: pass.count,
      .transposed(gradients.output), .plain(pass.input), into: gradients.trainable)
    if hasBias {
      let bias = gradients.trainable + outputs * inputs
      bias.update(from: gradients.output, count: outputs)
      for image in 1..<max(1, pass.count) {
        let row = gradients.output + image * outputs
        for i in 0..<outputs { bias[i] += row[i] }
      }
    }
    guard let inputGradient = gradients.input else { return }
    // dX [count, in] = dY · W
    multiply(
      rows: pass.count, columns: inputs, inner: outputs,
      .plain(gradients.output), .plain(pass.trainable), into: inputGradient)
  }

  public var description: String { "dense \(outputs)" + (hasBias ? "" : " nobias") }
}
