import Datasets
import PlainText

extension Evaluation {
  /// The report for people, at most 80 columns wide; `percent(images:)` states the rule for decimals.
  public var text: String {
    [summary, classTable, confusionText, mistakesText].compactMap(\.self).joined(separator: "\n\n")
  }

  private var summary: String {
    var lines = ["accuracy " + Self.accuracyText(correct: correct, of: count, accuracyInterval)]
    // Top 1 is the accuracy.
    let others = topK.filter { $0.k > 1 }.map { "top \($0.k) \(percent($0.accuracy))" }
    if !others.isEmpty { lines.append(others.joined(separator: ", ")) }
    lines.append("macro F1 \(percent(macroF1)) (mean of the classes' F1)")
    let lossText = loss > 0 && loss < 0.00005 ? "<0.0001" : loss.fixed(4)
    lines.append("loss \(lossText) (mean cross-entropy in nats)")
    lines.append(
      "expected calibration error \(percent(calibration.expectedError))"
        + " (\(Calibration.binCount) equal bins of the top probability)")
    return lines.joined(separator: "\n")
  }

  /// "99.12% (9,912 of 10,000), 95% interval 98.92–99.29%".
  static func accuracyText(correct: Int, of count: Int, _ interval: WilsonInterval) -> String {
    let decimals = count >= 10_000 ? 2 : 1
    let (low, high) = ((interval.low * 100).fixed(decimals), (interval.high * 100).fixed(decimals))
    let accuracy = (Double(correct) / Double(count)).percent(images: count)
    return "\(accuracy) (\(correct.groupedDigits) of \(count.groupedDigits)), 95% interval \(low)–\(high)%"
  }

  private func percent(_ fraction: Double) -> String { fraction.percent(images: count) }

  private var classTable: String {
    let names = classes.names.map { $0.cut(to: 32) }
    let nameWidth = max(5, names.map(\.columns).max() ?? 0)
    func line(_ name: String, _ cells: [String]) -> String {
      name.leftAligned(nameWidth) + cells.map { $0.rightAligned(11) }.joined()
    }
    // A class is judged by its own images, so the decimals follow from how many it has.
    let imagesPerClass = count / classes.count
    func cell(_ fraction: Double?) -> String {
      fraction.map { $0.percent(images: imagesPerClass) } ?? "–"
    }
    var lines = [line("class", ["precision", "recall", "F1", "images"])]
    for (name, scores) in zip(names, classScores) {
      let rates = [scores.precision, scores.recall, scores.f1].map(cell)
      lines.append(line(name, rates + [scores.support.groupedDigits]))
    }
    if classScores.contains(where: { $0.precision == nil || $0.recall == nil }) {
      lines.append("– is undefined: no image of that class, or none taken for it")
    }
    return lines.joined(separator: "\n")
  }

  private var confusionText: String {
    if correct == count { return "no mistakes" }
    return confusion.table(names: classes.names) ?? confusion.list(names: classes.names)
  }

  private var mistakesText: String? {
    if mistakes.isEmpty { return nil }
    let total = (count - correct).groupedDigits
    let title =
      switch mistakes.count {
      case count - correct: "mistakes, the most confident first"
      case 1: "the most confident of \(total) mistakes"
      default: "the \(mistakes.count.groupedDigits) most confident of \(total) mistakes"
      }
    return (["\(title) (images count from 0)"] + mistakes.map(line)).joined(separator: "\n")
  }

  private func line(for mistake: Mistake) -> String {
    // Images for one decimal: a single answer is not known more precisely.
    let probability = mistake.probability.percent(images: 1)
    let ofTruth = mistake.probabilityOfTruth.percent(images: 1)
    func line(_ truth: String, _ prediction: String) -> String {
      "image \(mistake.image.groupedDigits): \(truth) taken for \(prediction)"
        + " with \(probability); \(ofTruth) for \(truth)"
    }
    let nameWidth = (80 - line("", "").columns) / 3
    return line(
      classes.names[mistake.truth].cut(to: nameWidth),
      classes.names[mistake.prediction].cut(to: nameWidth))
  }
}
