import Tensors
import Training

/// A network as PyTorch's `nn.Sequential` of the same layers.
///
/// PyTorch's modules neither flatten images by themselves nor pad on one side more than on the other, so
/// there are modules here that Inkling's layers have no need of; each takes a number.
struct TorchSequential {
  /// A module, such as `torch.nn.Linear(784, 10)`, and the layer whose numbers it has.
  struct Module {
    let expression: String
    let layer: Int?
  }

  private(set) var modules: [Module] = []
  /// Whether values lie as [N, C], rather than [N, C, H, W].
  private var isFlat = false

  init(_ architecture: Architecture) {
    var input = architecture.input
    for (position, layer) in architecture.layers.enumerated() {
      add(layer, position, from: input, to: architecture.outputs[position])
      input = architecture.outputs[position]
    }
    // The logits of an image are a row.
    flatten()
  }

  /// Python that makes the network.
  var expression: String { "torch.nn.Sequential(" + modules.map(\.expression).joined(separator: ", ") + ")" }

  private mutating func add(_ layer: Layer, _ position: Int, from input: ImageShape, to output: ImageShape) {
    switch layer {
    case .convolution(let layer): add(layer, position, from: input, to: output)
    case .dense(let layer):
      flatten()
      append("Linear(\(input.count), \(layer.outputs)\(layer.hasBias ? "" : ", bias=False"))", position)
    case .rectifier(let layer):
      append(layer.slope == 0 ? "ReLU()" : "LeakyReLU(\(layer.slope))")
    case .pool(let layer):
      unflatten(input)
      let name = layer.kind == .maximum ? "MaxPool2d" : "AvgPool2d"
      append("\(name)(\(Self.text(layer.kernel)), stride=\(Self.text(layer.stride)))")
    case .globalAveragePool:
      unflatten(input)
      append("AdaptiveAvgPool2d(1)")
    case .batchNormalization: append("BatchNorm\(isFlat ? "1d" : "2d")(\(input.channels))", position)
    case .dropout(let layer): append("Dropout(\(layer.rate))")
    case .flatten: flatten()
    }
  }

  private mutating func add(
    _ layer: Convolution, _ position: Int, from input: ImageShape, to output: ImageShape
  ) {
    unflatten(input)
    // An odd zero goes to the bottom and the right.
    func zeros(_ input: Int, _ output: Int, _ kernel: Int, _ stride: Int) -> (before: Int, after: Int) {
      let all = layer.padding == .same ? max(0, (output - 1) * stride + kernel - input) : 0
      return (all / 2, all - all / 2)
    }
    let rows = zeros(input.height, output.height, layer.kernel.height, layer.stride.height)
    let columns = zeros(input.width, output.width, layer.kernel.width, layer.stride.width)
    let isEven = rows.before == rows.after && columns.before == columns.after
    if !isEven { append("ZeroPad2d((\(columns.before), \(columns.after), \(rows.before), \(rows.after)))") }
    var text = "Conv2d(\(input.channels), \(layer.filters), \(Self.text(layer.kernel))"
    if layer.stride != Extent(1, 1) { text += ", stride=\(Self.text(layer.stride))" }
    if isEven, rows.before + columns.before > 0 {
      text += ", padding=\(Self.text(Extent(rows.before, columns.before)))"
    }
    if layer.groups > 1 { text += ", groups=\(layer.groups)" }
    append(text + (layer.hasBias ? ")" : ", bias=False)"), position)
  }

  private mutating func append(_ expression: String, _ layer: Int? = nil) {
    modules.append(Module(expression: "torch.nn.\(expression)", layer: layer))
  }

  private mutating func flatten() {
    if !isFlat { append("Flatten()") }
    isFlat = true
  }

  private mutating func unflatten(_ shape: ImageShape) {
    if isFlat { append("Unflatten(1, (\(shape.channels), \(shape.height), \(shape.width)))") }
    isFlat = false
  }

  private static func text(_ extent: Extent) -> String {
    extent.height == extent.width ? "\(extent.height)" : "(\(extent.height), \(extent.width))"
  }
}
