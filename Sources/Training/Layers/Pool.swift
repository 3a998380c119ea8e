import Kernels
import Tensors

/// The maximum or the mean of each window; windows that would reach over the edge are left out.
public struct Pool: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case maximum = "maxpool"
    case average = "avgpool"
  }

  public var kind: Kind
  public var kernel: Extent
  public var stride: Extent

  /// A pool over windows of `kernel`, side by side unless a stride is given.
  public init(_ kind: Kind, kernel: Extent, stride: Extent? = nil) {
    self.kind = kind
    self.kernel = kernel
    self.stride = stride ?? kernel
  }
}

extension Pool: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape {
    // The place of a maximum in its window is kept as a byte.
    guard kernel.count <= 256 else {
      throw LayerMisfit(reason: "a window of \(kernel) has more than 256 places")
    }
    let extent = try Window(kernel: kernel, stride: stride, padding: .valid)
      .output(height: input.height, width: input.width)
    return ImageShape(channels: input.channels, height: extent.height, width: extent.width)
  }

  func memory(from input: ImageShape, to output: ImageShape) -> LayerMemory {
    LayerMemory(savedBytes: kind == .maximum ? output.count : 0)
  }

  func forward(_ pass: LayerPass) {
    switch kind {
    case .maximum:
      for plane in 0..<pass.count * pass.inputShape.channels {
        let target = plane * pass.outputShape.planeCount
        pass.kernels.run(
          InklingMaximum(
            inWidth: pass.inputShape.width, outHeight: pass.outputShape.height,
            outWidth: pass.outputShape.width, windowHeight: kernel.height, windowWidth: kernel.width,
            strideY: stride.height, strideX: stride.width,
            in: pass.input + plane * pass.inputShape.planeCount,
            out: pass.output + target, places: pass.saved + target))
      }
    case .average:
      let scale = 1 / Float(kernel.count)
      forEachWindow(pass) { input, output, offsets in
        var sum: Float = 0
        for offset in offsets { sum += pass.input[input &+ offset] }
        pass.output[output] = sum * scale
      }
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    guard let inputGradient = gradients.input else { return }
    inputGradient.update(repeating: 0, count: pass.count * pass.inputShape.count)
    switch kind {
    case .maximum:
      forEachWindow(pass) { input, output, offsets in
        inputGradient[input &+ offsets[Int(pass.saved[output])]] += gradients.output[output]
      }
    case .average:
      let scale = 1 / Float(kernel.count)
      forEachWindow(pass) { input, output, offsets in
        let share = gradients.output[output] * scale
        for offset in offsets { inputGradient[input &+ offset] += share }
      }
    }
  }

  public var description: String {
    func side(_ extent: Extent) -> String {
      extent.height == extent.width ? "\(extent.height)" : "\(extent)"
    }
    return "\(kind.rawValue) \(side(kernel))" + (stride == kernel ? "" : " stride \(side(stride))")
  }

  /// Calls `body` with the offset of each window's first input and of its output, over all images, and
  /// with the offsets of the window's places from the first.
  private func forEachWindow(
    _ pass: LayerPass,
    _ body: (_ input: Int, _ output: Int, _ offsets: UnsafeBufferPointer<Int>) -> Void
  ) {
    let (input, output) = (pass.inputShape, pass.outputShape)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: kernel.count) { offsets in
      for place in 0..<kernel.count {
        offsets[place] = place / kernel.width * input.width + place % kernel.width
      }
      let offsets = UnsafeBufferPointer(offsets)
      var target = 0
      for plane in 0..<pass.count * input.channels {
        for y in 0..<output.height {
          var source = (plane * input.height + y * stride.height) * input.width
          for _ in 0..<output.width {
            body(source, target, offsets)
            source &+= stride.width
            target &+= 1
          }
        }
      }
    }
  }
}

/// The mean of each channel.
public struct GlobalAveragePool: Hashable, Sendable {
  public init() {}
}

extension GlobalAveragePool: LayerRule {
  func outputShape(for input: ImageShape) throws(LayerMisfit) -> ImageShape {
    ImageShape(channels: input.channels, height: 1, width: 1)
  }

  func forward(_ pass: LayerPass) {
    let plane = pass.inputShape.planeCount
    for channel in 0..<pass.count * pass.inputShape.channels {
      pass.output[channel] = sum(pass.input + channel * plane, plane) / Float(plane)
    }
  }

  func backward(_ pass: LayerPass, _ gradients: LayerGradients) {
    guard let inputGradient = gradients.input else { return }
    let plane = pass.inputShape.planeCount
    for channel in 0..<pass.count * pass.inputShape.channels {
      let share = gradients.output[channel] / Float(plane)
      (inputGradient + channel * plane).update(repeating: share, count: plane)
    }
  }

  public var description: String { "globalavgpool" }
}
