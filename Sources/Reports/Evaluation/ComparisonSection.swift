import Charts
import PlainText
import Training

extension EvaluationPage {
  /// This model beside another on the same images, with the images that tell them apart.
  func comparisonSection(_ rival: Rival, _ sheet: PictureSheet) -> String {
    let comparison = rival.comparison
    let names = evaluation.classes.names
    func row(_ name: String, _ side: Comparison.Side) -> [String] {
      [
        name, percent(side.accuracy), "\(percent(side.interval.low)) to \(percent(side.interval.high))",
        side.correct.groupedDigits,
      ]
    }
    return HTMLPage.section(
      "Compared with \(rival.name)", id: "comparison",
      HTMLPage.table(
        head: ["model", "accuracy", "95% interval", "right"],
        [row(model, comparison.first), row(rival.name, comparison.second)], numbersFrom: 1),
      "<p class=\"lines\">\(comparison.verdict.escaped)</p>",
      images("Only \(model) gets right", comparison.onlyFirst, sheet) {
        "the other: \(names[$0.mistakenFor]), \($0.probabilityOfMistake.percent(images: 1))"
      },
      images("Only \(rival.name) gets right", comparison.onlySecond, sheet) {
        "the other: right, \($0.probabilityOfTruth.percent(images: 1))"
      })
  }

  private func images(
    _ title: String, _ found: [Comparison.Disagreement], _ sheet: PictureSheet,
    note: (Comparison.Disagreement) -> String
  ) -> String {
    let shown = found.prefix(Self.cardLimit)
    let count = found.count.of("image")
    let extent = shown.count < found.count ? "\(count), \(shown.count) of them here" : count
    return "<h3>\(title.escaped): \(extent)</h3>"
      + HTMLPage.cards(sheet.slots(of: shown.map(\.image)), notes: shown.map(note))
  }
}
