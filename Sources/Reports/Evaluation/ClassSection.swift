import Charts
import PlainText
import Training

extension EvaluationPage {
  private static let classLimit = 500

  /// How well each class is recognised; of very many classes the worst.
  var classSection: String {
    let scores = evaluation.classScores
    let names = evaluation.classes.names
    // A class is judged by its own images, so the decimals follow from how many it has.
    let imagesPerClass = evaluation.count / max(1, scores.count)
    func cell(_ fraction: Double?) -> String { fraction?.percent(images: imagesPerClass).escaped ?? "–" }
    let isCut = scores.count > Self.classLimit
    let order =
      isCut
      ? scores.indices.sorted { (scores[$0].f1 ?? 2, $0) < (scores[$1].f1 ?? 2, $1) } : Array(scores.indices)
    let rows = order.prefix(Self.classLimit).map { index in
      let score = scores[index]
      let bar = score.f1.map {
        #"<span class="share"><i style="width:\#((100 * $0).fixed(1))%"></i></span>"#
      }
      return [
        HTMLPage.name(names[index]), cell(score.precision), cell(score.recall), (bar ?? "") + cell(score.f1),
        score.support.groupedDigits,
      ]
    }
    return HTMLPage.section(
      "Class by class", id: "classes",
      HTMLPage.note(
        "Precision: how many of the images taken for the class are of it. Recall: how many of its images are "
          + "recognised. F1: their harmonic mean. A dash is undefined: no such image."),
      isCut ? HTMLPage.note("The \(Self.classLimit) worst of \(scores.count.groupedDigits) classes.") : "",
      HTMLPage.table(head: ["class", "precision", "recall", "F1", "images"], cells: rows, numbersFrom: 1))
  }
}
