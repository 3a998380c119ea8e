import Inference

extension CLayer {
  /// What a layer is, in words for a comment: its kind and settings, and the shapes that go in and come out.
  static func title(_ placed: PlacedOperation) -> String {
    "\(kind(placed.operation)): \(shape(placed.input)) to \(shape(placed.output))"
      + (placed.givesBytes ? " bytes" : "")
  }

  private static func kind(_ operation: Operation) -> String {
    switch operation {
    case .convolution(let convolution):
      "Convolution " + text(convolution.window) + padding(convolution)
        + (convolution.groups > 1 ? ", \(convolution.groups) groups" : "")
        + text(convolution.integers) + text(convolution.activation)
    case .dense(let dense): "Dense" + text(dense.integers) + text(dense.activation)
    case .maximumPool(let window): "Maximum of " + text(window)
    case .averagePool(let window): "Mean of " + text(window)
    case .globalAveragePool: "Mean of each channel"
    case .flatten: "Flatten"
    case .softmax: "Softmax"
    case .activation(let activation): activation == .none ? "Nothing" : String(text(activation).dropFirst(2))
    case .affine: "Scale and shift of each channel"
    }
  }

  private static func text(_ window: Operation.Window) -> String {
    let stride = window.down == window.across ? "\(window.down)" : "\(window.down)x\(window.across)"
    return "\(window.height)x\(window.width)" + (stride == "1" ? "" : ", stride \(stride)")
  }

  /// Above, to the left, below and to the right, or once if all are the same.
  private static func padding(_ convolution: Operation.Convolution) -> String {
    let sides = [convolution.top, convolution.left, convolution.bottom, convolution.right]
    guard sides.contains(where: { $0 > 0 }) else { return "" }
    let isEven = Set(sides).count == 1
    return ", padding " + sides.prefix(isEven ? 1 : 4).map { "\($0)" }.joined(separator: " ")
  }

  private static func text(_ integers: Operation.IntegerScales?) -> String {
    integers == nil ? "" : ", whole numbers"
  }

  private static func text(_ activation: Operation.Activation) -> String {
    switch activation {
    case .none: ""
    case .rectifier: ", ReLU"
    case .leaky(let slope): ", leaky ReLU \(slope)"
    }
  }

  private static func shape(_ extent: Extent3) -> String {
    extent.planeCount == 1 ? "\(extent.channels)" : "\(extent.channels)x\(extent.height)x\(extent.width)"
  }
}

extension Operation.Activation {
  /// The constant that stands for it in C.
  var kind: String {
    switch self {
    case .none: "no_activation"
    case .rectifier: "rectifier"
    case .leaky: "leaky_rectifier"
    }
  }

  /// The slope below 0 of a leaky rectifier; for others it is not read.
  var slope: Float {
    if case .leaky(let slope) = self { slope } else { 0 }
  }
}
