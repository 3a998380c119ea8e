import Tensors

/// A 2-D convolution (cross-correlation, as everywhere in this field), with groups.
///
/// Weights are OIHW: [filters, input channels / groups, kernel height, kernel width], then one bias a filter.
public struct Convolution: Hashable, Sendable {
  public var kernel: Extent
  public var filters: Int
  public var stride: Extent
  public var padding: Padding
  /// Channels and filters fall into this many groups that do not see each other; as many as there are
  /// input channels makes it depthwise.
  public var groups: Int
  public var hasBias: Bool

  public init(
    kernel: Extent, filters: Int, stride: Extent = Extent(1, 1), padding: Padding = .valid,
    groups: Int = 1, hasBias: Bool = true
  ) {
    self.kernel = kernel
    self.filters = filters
    self.stride = stride
    self.padding = padding
    self.groups = groups
    self.hasBias = hasBias
  }

  private var window: Window { Window(kernel: kernel, stride: stride, padding: padding) }
}

extension Convolution: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape {
    guard input.channels % groups == 0 else {
      throw LayerMisfit(reason: "\(input.channels) input channels do not divide into \(groups) groups")
    }
    guard filters % groups == 0 else {
      throw LayerMisfit(reason: "\(filters) filters do not divide into \(groups) groups")
    }
    let extent = try window.output(height: input.height, width: input.width)
    return ImageShape(channels: filters, height: extent.height, width: extent.width)
  }

  func parameters(for input: ImageShape) -> [Parameter] {
    let depth = input.channels / groups
    let weight = Parameter(
      name: "weight", shape: [filters, depth, kernel.height, kernel.width],
      role: .weight(fanIn: depth * kernel.count, fanOut: filters / groups * kernel.count))
    return hasBias ? [weight, Parameter(name: "bias", shape: [filters], role: .bias)] : [weight]
  }

  func multiplyAdds(from input: ImageShape, to output: ImageShape) -> Int {
    output.count * (input.channels / groups) * kernel.count
  }

  func scratchCount(from input: ImageShape, to output: ImageShape) -> Int {
    input.channels * kernel.count * output.planeCount
  }

  func forward(_ pass: LayerPass) {
    let product = GroupedProduct(self, pass)
    for image in 0..<pass.count {
      let input = pass.input + image * pass.inputShape.count
      let output = pass.output + image * pass.outputShape.count
      let unfolded = product.unfold(input, scratch: pass.scratch)
      for group in 0..<groups {
        multiply(
          rows: product.rows, columns: product.columns, inner: product.inner,
          .plain(pass.trainable + product.weightOffset(group)),
          .plain(unfolded + product.unfoldedOffset(group)),
          into: output + product.outputOffset(group))
      }
      guard hasBias else { continue }
      let bias = pass.trainable + product.biasOffset
      for filter in 0..<filters {
        let plane = output + filter * product.columns
        let value = bias[filter]
        for i in 0..<product.columns { plane[i] += value }
      }
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    let product = GroupedProduct(self, pass)
    if hasBias { gradients.trainable.advanced(by: product.biasOffset).update(repeating: 0, count: filters) }
    for image in 0..<pass.count {
      let output = gradients.output + image * pass.outputShape.count
      let unfolded = product.unfold(pass.input + image * pass.inputShape.count, scratch: pass.scratch)
      for group in 0..<groups {
        // dW = dY · columnsᵀ
        multiply(
          rows: product.rows, columns: product.inner, inner: product.columns,
          .plain(output + product.outputOffset(group)),
          .transposed(unfolded + product.unfoldedOffset(group)),
          into: gradients.trainable + product.weightOffset(group), adding: image > 0)
      }
      if hasBias {
        let bias = gradients.trainable + product.biasOffset
        for filter in 0..<filters { bias[filter] += sum(output + filter * product.columns, product.columns) }
      }
      guard let inputGradient = gradients.input else { continue }
      let target = inputGradient + image * pass.inputShape.count
      let matrix = product.unfolding.isIdentity ? target : pass.scratch
      for group in 0..<groups {
        // dX = fold(Wᵀ · dY)
        multiply(
          rows: product.inner, columns: product.columns, inner: product.rows,
          .transposed(pass.trainable + product.weightOffset(group)),
          .plain(output + product.outputOffset(group)), into: matrix + product.unfoldedOffset(group))
      }
      if !product.unfolding.isIdentity {
        target.update(repeating: 0, count: pass.inputShape.count)
        product.unfolding.fold(matrix, addingTo: target)
      }
    }
  }

  public var description: String {
    let isUnitStride = stride == Extent(1, 1)
    let strideText = stride.height == stride.width ? "\(stride.height)" : "\(stride)"
    return "conv \(kernel) \(filters)" + (isUnitStride ? "" : " stride \(strideText)")
      + (padding == .same ? " same" : "") + (groups == 1 ? "" : " groups \(groups)")
      + (hasBias ? "" : " nobias")
  }
}

/// The matrices of one image's convolution: for each group, Y [rows, columns] = W [rows, inner] · X [inner, columns].
private struct GroupedProduct {
  let unfolding: Unfolding
  /// Filters of one group.
  let rows: Int
  /// Places of the kernel.
  let columns: Int
  /// Inputs below the kernel in one group.
  let inner: Int
  let biasOffset: Int

  init(_ convolution: Convolution, _ pass: LayerPass) {
    let window = Window(kernel: convolution.kernel, stride: convolution.stride, padding: convolution.padding)
    unfolding = Unfolding(window: window, input: pass.inputShape, output: pass.outputShape)
    rows = convolution.filters / convolution.groups
    columns = pass.outputShape.planeCount
    inner = unfolding.rows / convolution.groups
    biasOffset = convolution.filters * inner
  }

  func weightOffset(_ group: Int) -> Int { group * rows * inner }
  func unfoldedOffset(_ group: Int) -> Int { group * inner * columns }
  func outputOffset(_ group: Int) -> Int { group * rows * columns }

  func unfold(
    _ image: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) -> UnsafeMutablePointer<Float> {
    if unfolding.isIdentity { return image }
    unfolding.unfold(image, into: scratch)
    return scratch
  }
}
