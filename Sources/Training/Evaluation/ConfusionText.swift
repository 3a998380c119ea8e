import PlainText

extension ConfusionMatrix {
  /// The matrix in at most 80 columns; nil for more than 12 classes or where it would be wider.
  ///
  /// Zeros are dots, so that mistakes stand out. Column names are cut to fit as long as they differ.
  func table(names: [String]) -> String? {
    if classes > 12 { return nil }
    let rowNames = names.map { $0.cut(to: 14) }
    let rowNameWidth = rowNames.map(\.columns).max() ?? 0
    let cells = rows.map { row in row.map { $0 == 0 ? "·" : $0.groupedDigits } }
    let widestCell = cells.joined().map(\.columns).max() ?? 1
    let widestName = names.map { $0.cut(to: 14).columns }.max() ?? 1
    let cellWidth = min((80 - rowNameWidth) / classes, max(widestCell, widestName) + 2)
    if cellWidth < widestCell + 1 { return nil }
    let columnNames = names.map { $0.cut(to: cellWidth - 1) }
    if Set(columnNames).count < Set(names).count { return nil }

    func line(_ name: String, _ cells: [String]) -> String {
      name.leftAligned(rowNameWidth) + cells.map { $0.rightAligned(cellWidth) }.joined()
    }
    let title = "confusion matrix: rows are the truth, columns the prediction"
    let body = zip(rowNames, cells).map { line($0, $1) }
    return ([title, line("", columnNames)] + body).joined(separator: "\n")
  }

  /// The most frequent confusions, one a line.
  func list(names: [String], limit: Int = 20) -> String {
    let found = confusions
    let title =
      found.count <= limit
      ? "confusions, the most frequent first"
      : "the \(limit) most frequent of \(found.count.groupedDigits) confusions"
    let lines = found.prefix(limit).map { confusion in
      let truth = names[confusion.truth].cut(to: 24)
      let prediction = names[confusion.prediction].cut(to: 24)
      let times = confusion.count == 1 ? "once" : "\(confusion.count.groupedDigits) times"
      return "\(truth) taken for \(prediction): \(times)"
    }
    return ([title] + lines).joined(separator: "\n")
  }
}
