import Kernels
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

  var window: Window { Window(kernel: kernel, stride: stride, padding: padding) }
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

  var backwardReadsInput: Bool { true }

  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory {
    let geometry = ConvolutionGeometry(self, input, output)
    return LayerMemory(
      scratch: geometry.scratch.count, prepared: 2 * geometry.weightCount,
      shardGradient: geometry.sumsCount + filters)
  }

  func tables(from input: ImageShape, to output: ImageShape) -> [Int32] {
    let geometry = ConvolutionGeometry(self, input, output)
    return geometry.offsets + geometry.tapOffsets
  }

  /// Weights in rows of filters for the way forward, then in rows of channels, place by place of the kernel, for the
  /// way backward.
  func prepare(_ parameters: LayerParameters, for input: ImageShape, kernels: KernelSet) {
    let taps = kernel.count
    let (rows, channels) = (filters / groups, input.channels / groups)
    let inner = channels * taps
    for group in 0..<groups {
      let weights = parameters.trainable + group * rows * inner
      kernels.packRows(
        weights, rows: rows, inner: inner, rowStep: inner, innerStep: 1,
        into: parameters.prepared + group * rows * inner)
      let backward = parameters.prepared + (groups + group) * rows * inner
      for tap in 0..<taps {
        kernels.packRows(
          weights + tap, rows: channels, inner: rows, rowStep: taps, innerStep: inner,
          into: backward + tap * channels * rows)
      }
    }
  }

  func forward(_ pass: LayerPass) {
    let geometry = ConvolutionGeometry(self, pass.inputShape, pass.outputShape)
    let (rows, inner) = (geometry.groupFilters, geometry.inner)
    let bias = hasBias ? pass.parameters.trainable + geometry.weightCount : nil
    for image in 0..<pass.count {
      let planes = geometry.spread(pass.input + image * pass.inputShape.count, into: pass.scratch)
      let output = pass.output + image * pass.outputShape.count
      for group in 0..<groups {
        pass.kernels.run(
          InklingCorrelation(
            rowCount: rows, inner: inner, height: pass.outputShape.height, width: pass.outputShape.width,
            pitch: geometry.pitch, rows: pass.parameters.prepared + group * rows * inner,
            bias: bias.map { $0 + group * rows },
            in: planes + group * geometry.groupChannels * geometry.channelStep,
            offsets: pass.parameters.tables,
            strip: pass.scratch + geometry.scratch.strip,
            out: output + group * rows * pass.outputShape.planeCount))
      }
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    let geometry = ConvolutionGeometry(self, pass.inputShape, pass.outputShape)
    let plane = pass.outputShape.planeCount
    for image in 0..<pass.count {
      let output = gradients.output + image * pass.outputShape.count
      let planes = geometry.spread(pass.input + image * pass.inputShape.count, into: pass.scratch)
      addWeightGradient(geometry, pass, planes: planes, output: output, to: gradients.shard)
      if hasBias {
        let bias = gradients.shard + geometry.sumsCount
        for filter in 0..<filters { bias[filter] += sum(output + filter * plane, plane) }
      }
      guard let inputGradient = gradients.input else { continue }
      differentiateInput(
        geometry, pass, output: output, into: inputGradient + image * pass.inputShape.count)
    }
  }

  /// sums[k][f] += Σ over places of input[k] · dy[f], in tiles of as many filters as a panel has columns.
  private func addWeightGradient(
    _ geometry: ConvolutionGeometry, _ pass: LayerPass, planes: UnsafePointer<Float>,
    output: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>
  ) {
    let (rows, columns) = (geometry.groupFilters, KernelSet.columns)
    let panel = pass.scratch + geometry.scratch.panel
    var target = sums
    for group in 0..<groups {
      for first in Swift.stride(from: 0, to: rows, by: columns) {
        pass.kernels.packPanel(
          output + (group * rows + first) * pass.outputShape.planeCount, filters: min(columns, rows - first),
          places: pass.outputShape.planeCount, step: pass.outputShape.planeCount, into: panel)
        pass.kernels.run(
          InklingOuterProduct(
            inner: geometry.inner, height: pass.outputShape.height, width: pass.outputShape.width,
            pitch: geometry.pitch, in: planes + group * geometry.groupChannels * geometry.channelStep,
            panel: panel, offsets: pass.parameters.tables, sums: target))
        target += geometry.inner * columns
      }
    }
  }

  /// dx[k] += Σ over filters of w[f][k] · dy[f], at each place.
  private func differentiateInput(
    _ geometry: ConvolutionGeometry, _ pass: LayerPass, output: UnsafePointer<Float>,
    into inputGradient: UnsafeMutablePointer<Float>
  ) {
    let (rows, inner) = (geometry.groupFilters, geometry.inner)
    let spread = geometry.spreadOutput(output, into: pass.scratch + geometry.scratch.output)
    let planes = geometry.isDirect ? inputGradient : pass.scratch + geometry.scratch.gradient
    planes.update(repeating: 0, count: geometry.planesCount)
    for group in 0..<groups {
      pass.kernels.run(
        InklingScattering(
          channels: geometry.groupChannels, filters: rows, taps: kernel.count, places: geometry.places,
          outStep: geometry.outputStep, channelStep: geometry.channelStep,
          rows: pass.parameters.prepared + (groups + group) * rows * inner,
          out: spread + group * rows * geometry.outputStep, tapOffsets: pass.parameters.tables + inner,
          in: planes + group * geometry.groupChannels * geometry.channelStep))
    }
    if !geometry.isDirect { geometry.gather(planes, into: inputGradient) }
  }

  func conclude(
    shardGradient: UnsafePointer<Float>, into trainable: UnsafeMutablePointer<Float>, for input: ImageShape
  ) {
    let (rows, inner) = (filters / groups, input.channels / groups * kernel.count)
    let panels = KernelSet.panels(rows)
    for filter in 0..<filters {
      let (panel, column) = (filter % rows / KernelSet.columns, filter % rows % KernelSet.columns)
      let sums = shardGradient + (filter / rows * panels + panel) * inner * KernelSet.columns + column
      for k in 0..<inner { trainable[filter * inner + k] = sums[k * KernelSet.columns] }
    }
    guard hasBias else { return }
    let bias = shardGradient + groups * panels * inner * KernelSet.columns
    (trainable + filters * inner).update(from: bias, count: filters)
  }

  public var description: String {
    let isUnitStride = stride == Extent(1, 1)
    let strideText = stride.height == stride.width ? "\(stride.height)" : "\(stride)"
    return "conv \(kernel) \(filters)" + (isUnitStride ? "" : " stride \(strideText)")
      + (padding == .same ? " same" : "") + (groups == 1 ? "" : " groups \(groups)")
      + (hasBias ? "" : " nobias")
  }
}
