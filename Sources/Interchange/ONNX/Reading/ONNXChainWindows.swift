import Inference
import PlainText
import Training

/// Rows and columns of zeros around an image.
struct ONNXPadding: Equatable {
  var top = 0
  var left = 0
  var bottom = 0
  var right = 0

  var isSome: Bool { self != ONNXPadding() }

  static func + (first: Self, second: Self) -> Self {
    Self(
      top: first.top + second.top, left: first.left + second.left, bottom: first.bottom + second.bottom,
      right: first.right + second.right)
  }
}

// Windows that go over an image, and the zeros around it.
extension ONNXChain {
  mutating func addPadding(_ node: ONNXFile.Node) throws(ONNXMisfit) {
    let mode = node.attributes["mode"]?.text ?? "constant"
    var pads = node.attributes["pads"]?.integers ?? []
    var value = node.attributes["value"]?.float.map { Double($0) }
    if node.inputs.count > 1 { pads = try folding.integers(node.inputs[1]) }
    if let name = node.inputs[safe: 2], !name.isEmpty { value = try folding.constant(name).values.first }
    _ = try image()
    guard mode == "constant", value ?? 0 == 0, pads.count == 8, node.inputs.count < 4,
      [0, 1, 4, 5].allSatisfy({ pads[$0] == 0 }), pads.allSatisfy({ (0...255).contains($0) })
    else {
      throw ONNXMisfit(
        expected: "rows and columns of zeros", found: "\(mode.quoted) padding of \(pads.prefix(8))")
    }
    padding = padding + ONNXPadding(top: pads[2], left: pads[3], bottom: pads[6], right: pads[7])
  }

  /// Puts zeros that wait for a convolution around the image now: by one that hands its input on.
  mutating func settlePadding() throws(ONNXMisfit) {
    guard padding.isSome else { return }
    let extent = try image()
    let window = Operation.Window(height: 1, width: 1, down: 1, across: 1)
    let output = try output(extent, window, padding, channels: extent.channels)
    try folding.spend(extent.channels)
    let ones = [Float](repeating: 1, count: extent.channels)
    list.addConvolution(
      matrix(ones, rows: extent.channels), bias: nil, window: window,
      padding: (top: padding.top, left: padding.left, bottom: padding.bottom, right: padding.right),
      groups: extent.channels)
    padding = ONNXPadding()
    layout = ONNXLayout(image: output)
    byteScale = nil
  }

  /// The extent of an image; throws where the value is none.
  func image() throws(ONNXMisfit) -> Extent3 {
    guard layout.isImage else {
      throw ONNXMisfit(expected: "an image, [batch, channels, rows, columns]", found: "\(layout.shape)")
    }
    return layout.extent
  }

  func window(_ node: ONNXFile.Node, kernel: [Int]) throws(ONNXMisfit) -> Operation.Window {
    let strides = node.attributes["strides"]?.integers ?? [1, 1]
    let dilations = node.attributes["dilations"]?.integers ?? []
    guard kernel.count == 2, strides.count == 2, (kernel + strides).allSatisfy({ (1...255).contains($0) })
    else {
      throw ONNXMisfit(
        expected: "a window of two extents and steps, up to 255",
        found: "\(kernel.prefix(8)) by steps of \(strides.prefix(8))")
    }
    guard dilations.allSatisfy({ $0 == 1 }) else {
      throw ONNXMisfit(expected: "a window without gaps", found: "dilations of \(dilations.prefix(8))")
    }
    return Operation.Window(height: kernel[0], width: kernel[1], down: strides[0], across: strides[1])
  }

  /// The zeros that a convolution or pool asks for itself.
  func paddingOf(
    _ node: ONNXFile.Node, _ window: Operation.Window
  ) throws(ONNXMisfit) -> ONNXPadding {
    let extent = try image()
    let isUpper: Bool
    switch node.attributes["auto_pad"]?.text ?? "NOTSET" {
    case "NOTSET", "":
      let pads = node.attributes["pads"]?.integers ?? [0, 0, 0, 0]
      guard pads.count == 4, pads.allSatisfy({ (0...255).contains($0) }) else {
        throw ONNXMisfit(expected: "four pads of 0 to 255", found: "\(pads.prefix(8))")
      }
      return ONNXPadding(top: pads[0], left: pads[1], bottom: pads[2], right: pads[3])
    case "VALID": return ONNXPadding()
    case "SAME_UPPER": isUpper = true
    case "SAME_LOWER": isUpper = false
    case let other: throw ONNXMisfit(expected: "a known auto_pad", found: other.quoted)
    }
    func zeros(_ size: Int, _ kernel: Int, _ step: Int) -> (before: Int, after: Int) {
      let all = max(0, ((size + step - 1) / step - 1) * step + kernel - size)
      return isUpper ? (all / 2, all - all / 2) : (all - all / 2, all / 2)
    }
    let down = zeros(extent.height + padding.top + padding.bottom, window.height, window.down)
    let across = zeros(extent.width + padding.left + padding.right, window.width, window.across)
    return ONNXPadding(top: down.before, left: across.before, bottom: down.after, right: across.after)
  }

  func output(
    _ extent: Extent3, _ window: Operation.Window, _ padding: ONNXPadding, channels: Int
  ) throws(ONNXMisfit) -> Extent3 {
    let height = extent.height + padding.top + padding.bottom
    let width = extent.width + padding.left + padding.right
    guard height >= window.height, width >= window.width,
      max(padding.top, padding.left, padding.bottom, padding.right) <= 255
    else {
      throw ONNXMisfit(
        expected: "a window that fits into \(height)×\(width)",
        found: "one of \(window.height)×\(window.width)")
    }
    let output = Extent3(
      channels: channels, height: (height - window.height) / window.down + 1,
      width: (width - window.width) / window.across + 1)
    guard ONNXLayout.isAllowed(output) else {
      throw ONNXMisfit(
        expected: "at most 16,777,216 values", found: "\(channels)×\(output.height)×\(output.width)")
    }
    return output
  }
}
