import PlainText
import Tensors

extension Architecture {
  /// What becomes of an image in one layer, and what that takes.
  package struct Row: Hashable, Sendable {
    package let layer: String
    /// The output's extent.
    package let output: ImageShape
    package let parameters: Int
    /// For one image in the forward pass.
    package let multiplyAdds: Int
  }

  package var rows: [Row] {
    layers.indices.map {
      Row(
        layer: layers[$0].description, output: outputs[$0], parameters: parameterCount(of: $0),
        multiplyAdds: multiplyAdds(of: $0))
    }
  }

  /// Multiply-adds (MACs) for one image in the forward pass.
  public var multiplyAdds: Int { rows.reduce(0) { $0 + $1.multiplyAdds } }

  /// A table of the layers with output shapes, parameters and multiply-adds (MACs) for one image.
  public var summary: String {
    var table = TextTable([.right, .left, .left, .right, .right], flexible: 1)
    table.add(["", "layer", "output", "parameters", "MACs"])
    table.add(["", "input", "\(input)", "", ""])
    for (position, row) in rows.enumerated() {
      table.add([
        "\(position + 1)", row.layer, "\(row.output)", Self.cell(row.parameters), Self.cell(row.multiplyAdds),
      ])
    }
    table.add(["", "total", "", Self.cell(parameterCount), Self.cell(multiplyAdds)])
    return table.text
  }

  /// Nothing for 0, so that a table shows what matters.
  package static func cell(_ count: Int) -> String {
    count == 0 ? "" : count.groupedDigits
  }
}
