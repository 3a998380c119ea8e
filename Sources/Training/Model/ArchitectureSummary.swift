import Tensors

extension Architecture {
  /// A table of the layers with output shapes, parameters and multiply-adds (MACs) for one image.
  public var summary: String {
    var rows = [["", "layer", "output", "parameters", "MACs"], ["", "input", "\(input)", "", ""]]
    for (position, layer) in layers.enumerated() {
      rows.append([
        "\(position + 1)", "\(layer)", "\(outputs[position])", Self.cell(parameterCount(of: position)),
        Self.cell(multiplyAdds(of: position)),
      ])
    }
    let totalMultiplyAdds = layers.indices.reduce(0) { $0 + multiplyAdds(of: $1) }
    rows.append(["", "total", "", Self.cell(parameterCount), Self.cell(totalMultiplyAdds)])

    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = row.indices.map { column in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        // Words to the left, numbers to the right.
        return column == 1 || column == 2 ? row[column] + gap : gap + row[column]
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop(while: { $0 == " " }).reversed())
    }
    return lines.joined(separator: "\n")
  }

  /// Nothing for 0, so that a table shows what matters.
  private static func cell(_ count: Int) -> String {
    count == 0 ? "" : ReportText.thousands(count)
  }
}
