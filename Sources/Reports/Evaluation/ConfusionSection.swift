import Charts
import Foundation
import PlainText
import Training

extension EvaluationPage {
  /// More classes than this are listed by their confusions: a matrix would be a wall.
  private static let largestMatrix = 64
  private static let listLimit = 200

  /// What was taken for what, as a heat map whose cells show their images.
  var confusionSection: String {
    let isMatrix = evaluation.classes.count <= Self.largestMatrix
    return HTMLPage.section(
      "What was taken for what", id: "confusions",
      HTMLPage.note(
        isMatrix
          ? "Rows are the truth, columns the prediction. Choose a cell to see its images."
          : "\(listExtent), the most frequent first. Choose one to see its images."),
      isMatrix ? matrix : list, #"<div id="gallery" aria-live="polite"></div>"#)
  }

  private var matrix: String {
    let names = evaluation.classes.names.map(\.escaped)
    let rows = evaluation.confusion.rows
    let supports = evaluation.classScores.map(\.support)
    let mostMistakes = evaluation.confusion.confusions.first?.count ?? 1
    let head = names.map { #"<th scope="col" title="\#($0)">\#($0)</th>"# }.joined()
    let body = rows.enumerated().map { truth, row in
      let cells = row.enumerated().map { prediction, count in
        let isRight = truth == prediction
        // Mistakes by the logarithm, so that one alone is seen beside hundreds.
        let share =
          isRight
          ? Double(count) / Double(max(1, supports[truth]))
          : log(Double(max(1, count))) / log(Double(max(2, mostMistakes)))
        let heat = 0.15 + 0.75 * share
        return "<td>\(button(truth, prediction, count, heat: heat))</td>"
      }
      return #"<tr><th scope="row" title="\#(names[truth])">\#(names[truth])</th>\#(cells.joined())</tr>"#
    }
    return """
      <div class="scroll"><table class="matrix\(names.count > 16 ? " small" : "")">
      <thead><tr><th></th>\(head)</tr></thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private func button(_ truth: Int, _ prediction: Int, _ count: Int, heat: Double) -> String {
    if count == 0 { return #"<button class="none" style="--heat:0" disabled>·</button>"# }
    let kind = truth == prediction ? "right" : "wrong"
    // Where the page's style takes another colour for the number, to keep a contrast of 3 to 1.
    let style = "\(kind)\(heat > 0.75 ? " strong" : "")"
    return #"<button class="\#(style)" style="--heat:\#(heat.fixed(2))" "#
      + attributes(truth, prediction, count) + ">\(count.groupedDigits)</button>"
  }

  private var list: String {
    let found = evaluation.confusion.confusions
    let lines = found.prefix(Self.listLimit).map { confusion in
      let (truth, prediction) = (confusion.truth, confusion.prediction)
      return #"<li><button \#(attributes(truth, prediction, confusion.count))>"#
        + "\(title(truth, prediction)): \(confusion.count.groupedDigits)</button></li>"
    }
    return lines.isEmpty ? "" : #"<ol class="list">\#(lines.joined(separator: "\n"))</ol>"#
  }

  /// Such as "200 of 372 confusions".
  private var listExtent: String {
    let count = evaluation.confusion.confusions.count
    return (count > Self.listLimit ? "\(Self.listLimit) of " : "") + count.of("confusion")
  }

  /// What the page's script needs to show the cell's images, and what a screen reader says.
  private func attributes(_ truth: Int, _ prediction: Int, _ count: Int) -> String {
    let title = title(truth, prediction)
    let share = Double(count) / Double(max(1, evaluation.classScores[truth].support))
    let hint = "\(title): \(count.of("image")), \(share.percent(images: count)) of this class".escaped
    return #"data-cell="\#(Self.cell(truth, prediction))" data-count="\#(count)" data-title="\#(title)" "#
      + #"title="\#(hint)" aria-pressed="false""#
  }

  private func title(_ truth: Int, _ prediction: Int) -> String {
    let names = evaluation.classes.names.map(\.escaped)
    return truth == prediction ? "\(names[truth]), right" : "\(names[truth]) taken for \(names[prediction])"
  }
}
