/// Rows of cells as text: words to the left, numbers to the right, two spaces between columns.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  private let alignments: [Alignment]
  /// The column that is cut where the table would be wider than `limit`; nil to let it grow.
  private let flexible: Int?
  private let limit: Int
  private var rows: [[String]] = []

  /// - Parameter flexible: the column that gives way where a row would pass `limit` columns.
  package init(_ alignments: [Alignment], flexible: Int? = nil, limit: Int = 80) {
    self.alignments = alignments
    self.flexible = flexible
    self.limit = limit
  }

  /// - Precondition: as many cells as there are columns.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == alignments.count)
    rows.append(cells)
  }

  /// The lines, without spaces at their ends.
  package var text: String {
    var widths = alignments.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
    if let flexible {
      let others = widths.reduce(0, +) - widths[flexible] + 2 * (widths.count - 1)
      widths[flexible] = min(widths[flexible], max(8, limit - others))
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        let cell = column == flexible ? row[column].cut(to: widths[column]) : row[column]
        return alignments[column] == .left
          ? cell.leftAligned(widths[column]) : cell.rightAligned(widths[column])
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
