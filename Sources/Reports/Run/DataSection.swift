import Charts
import Datasets
import PlainText
import Training

extension RunPage {
  private static let classLimit = 200

  /// What the run was trained on.
  var dataSection: String {
    guard let data = record.data else {
      return HTMLPage.section(
        "Data", id: "data", HTMLPage.note("This run folder keeps no record of its data."))
    }
    let most = data.classes.map(\.trainingCount).max() ?? 1
    let rows = data.classes.prefix(Self.classLimit).map { entry in
      let share = Double(entry.trainingCount) / Double(max(1, most))
      return [
        HTMLPage.name(entry.name),
        #"<span class="share"><i style="width:\#((100 * share).fixed(1))%"></i></span>"#
          + entry.trainingCount.groupedDigits,
        entry.validationCount.groupedDigits,
      ]
    }
    let facts = [
      [
        "images",
        "\(data.trainingCount.groupedDigits) to train on, \(data.validationCount.groupedDigits) for validation",
      ],
      ["image", "\(data.shape) (channels, height, width)"],
      [
        "pixel",
        "mean \(data.meanPixel.fixed(3)), standard deviation \(data.pixelDeviation.fixed(3)); 1 is full ink",
      ],
      ["file", data.source], ["CRC-32", data.checksum],
    ]
    let more =
      data.classes.count > rows.count
      ? HTMLPage.note("And \((data.classes.count - rows.count).groupedDigits) classes more.") : ""
    return HTMLPage.section(
      "Data", id: "data", HTMLPage.table(facts),
      HTMLPage.table(head: ["class", "training images", "validation"], cells: rows, numbersFrom: 1), more)
  }
}
