import Inference
import PlainText
import Training

extension ONNXChain {
  mutating func addPool(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let isMaximum = node.kind == "MaxPool"
    let window = try window(node, kernel: node.attributes["kernel_shape"]?.integers ?? [])
    var padding = try paddingOf(node, window)
    var countsZeros = node.attributes["count_include_pad"]?.integer == 1
    if node.attributes["ceil_mode"]?.integer == 1 {
      // With the zeros that wait around the image, which are a part of it to the pool.
      var extent = try image()
      extent.height += self.padding.top + self.padding.bottom
      extent.width += self.padding.left + self.padding.right
      // One more window where there is a rest, unless it would begin behind the image.
      func rest(_ size: Int, before: Int, after: Int, _ kernel: Int, _ step: Int) -> Int {
        let all = before + size + after
        guard all >= kernel, (all - kernel) % step > 0 else { return 0 }
        let start = ((all - kernel) / step + 1) * step
        return start < before + size ? start + kernel - all : 0
      }
      let down = rest(
        extent.height, before: padding.top, after: padding.bottom, window.height, window.down)
      let across = rest(
        extent.width, before: padding.left, after: padding.right, window.width, window.across)
      (padding.bottom, padding.right) = (padding.bottom + down, padding.right + across)
      countsZeros = countsZeros && down == 0 && across == 0
    }
    if padding.isSome {
      guard isMaximum ? isNonNegative && !isOfPixels : countsZeros else {
        throw ONNXMisfit(
          expected: isMaximum
            ? "values of 0 or more, as after a ReLU, where a pool reaches over the edge"
            : "a pool that stays inside or counts the zeros at the edge",
          found: "one that reaches over the edge", remedy: "use a pool that stays inside")
      }
      self.padding = self.padding + padding
    }
    try settlePadding()
    let output = try output(image(), window, ONNXPadding(), channels: layout.extent.channels)
    list.add(isMaximum ? .maximumPool(window) : .averagePool(window))
    layout = ONNXLayout(image: output)
    if !isMaximum { byteScale = nil }
  }

  mutating func addGlobalPool(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    try settlePadding()
    if node.kind == "ReduceMean" {
      let keepsAxes = node.attributes["keepdims"]?.integer ?? 1 != 0
      let axes = try folding.axes(node) ?? []
      guard (1...4).contains(axes.count), let averaged = layout.averaged(over: axes, keepsAxes: keepsAxes)
      else {
        throw ONNXMisfit(
          expected: "a mean over rows and columns",
          found: "one over axes \(axes.prefix(8)) of \(layout.shape)")
      }
      layout = averaged
    } else {
      layout = ONNXLayout(image: Extent3(channels: try image().channels, height: 1, width: 1))
    }
    list.add(.globalAveragePool)
    byteScale = nil
  }

  /// Whether nothing was done but to choose among pixels, of which a later scaling may make negative values.
  private var isOfPixels: Bool {
    list.operations.allSatisfy { if case .maximumPool = $0 { true } else { false } }
  }
}
