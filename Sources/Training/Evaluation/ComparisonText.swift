import PlainText

extension Comparison {
  /// The report for people, at most 80 columns wide.
  ///
  /// - Parameters:
  ///   - names: what the two models are called.
  ///   - limit: the most images of each kind.
  public func text(names: (first: String, second: String), limit: Int = 10) -> String {
    [
      side(names.first, first), side(names.second, second), verdict,
      list("only the first gets right", onlyFirst, limit: limit),
      list("only the second gets right", onlySecond, limit: limit),
    ].compactMap(\.self).joined(separator: "\n\n")
  }

  private func side(_ name: String, _ side: Side) -> String {
    "\(name.cut(to: 80))\n  \(Evaluation.accuracyText(correct: side.correct, of: count, side.interval))"
  }

  /// Difference, test and counts, one sentence a line.
  package var verdict: String {
    let decimals = count >= 10_000 ? 2 : 1
    func points(_ fraction: Double) -> String {
      let text = (fraction * 100).fixed(decimals)
      // What rounds to 0 has no sign.
      return fraction > 0 && text != 0.0.fixed(decimals) ? "+\(text)" : text
    }
    let (low, high) = (points(differenceInterval.low), points(differenceInterval.high))
    let odds = pValue < 0.00005 ? "p < 0.0001" : "p = \(pValue.fixed(4))"
    return """
      difference \(points(difference)) points, 95% interval \(low) to \(high)
      McNemar's exact test \(odds)\(pValue < 0.05 ? "" : ": may well be chance")
      right for both \(bothRight.groupedDigits), only the first \(onlyFirst.count.groupedDigits), \
      only the second \(onlySecond.count.groupedDigits), neither \(bothWrong.groupedDigits)
      """
  }

  private func list(_ title: String, _ found: [Disagreement], limit: Int) -> String? {
    if found.isEmpty || limit == 0 { return nil }
    let shown = found.prefix(limit)
    let total =
      found.count == shown.count ? "" : ", \(shown.count.groupedDigits) of \(found.count.groupedDigits)"
    return (["\(title)\(total) (images count from 0)"] + shown.map(line)).joined(separator: "\n")
  }

  private func line(for found: Disagreement) -> String {
    func line(_ truth: String, _ mistake: String) -> String {
      "image \(found.image.groupedDigits): \(truth) with \(found.probabilityOfTruth.percent(images: 1)), "
        + "the other says \(mistake) with \(found.probabilityOfMistake.percent(images: 1))"
    }
    let nameWidth = (80 - line("", "").columns) / 2
    return line(
      classes.names[found.truth].cut(to: nameWidth), classes.names[found.mistakenFor].cut(to: nameWidth))
  }
}
