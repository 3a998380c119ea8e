import PlainText
import Tensors

extension Architecture {
  /// A table of the layers with output shapes, parameters and multiply-adds (MACs) for one image.
  public var summary: String {
    var table = TextTable([.right, .left, .left, .right, .right], flexible: 1)
    table.add(["", "layer", "output", "parameters", "MACs"])
    table.add(["", "input", "\(input)", "", ""])
    for (position, layer) in layers.enumerated() {
      table.add([
        "\(position + 1)", "\(layer)", "\(outputs[position])", Self.cell(parameterCount(of: position)),
        Self.cell(multiplyAdds(of: position)),
      ])
    }
    let totalMultiplyAdds = layers.indices.reduce(0) { $0 + multiplyAdds(of: $1) }
    table.add(["", "total", "", Self.cell(parameterCount), Self.cell(totalMultiplyAdds)])

    return table.text
  }

  /// Nothing for 0, so that a table shows what matters.
  private static func cell(_ count: Int) -> String {
    count == 0 ? "" : count.groupedDigits
  }
}
